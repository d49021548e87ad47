import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import type { Place } from './question.ts';

/**
 * Every version of a panel that events, listings and kept states name.
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function versionsNamed(
  id: number,
  catalogue: string,
  { history, states, listings }: Pick<Place, 'history' | 'states' | 'listings'>,
): Promise<readonly string[]> {
  const listing = (await listings()).find((each) => each.catalogue === catalogue)?.listing;
  const stated = [...(listing?.panels.get(id)?.versions ?? []), ...(await states(catalogue).versions(id))];
  const found = new Set(stated.map(({ version }) => version));
  for await (const { data } of history.findWithoutRows({ catalogue, filter: { panels: [id] } }))
    if (data.panel?.version) found.add(data.panel.version);
  return [...found];
}

/**
 * A sentence for each version that the panel does not have as far as is known: it is later than all others, or it lies between
 * two that follow each other. What is earlier, or in a gap, may exist.
 */
export function unknownVersions(
  panel: string,
  asked: readonly string[],
  known: readonly string[],
): readonly { readonly version: string; readonly sentence: string }[] {
  const numbers = known.flatMap((version) => {
    const read = versionNumbers(version);
    return read ? [{ version, read }] : [];
  });
  const ordered = numbers.toSorted((one, other) => compareVersions(one.read, other.read));
  return asked.flatMap((version) => {
    const wanted = versionNumbers(version);
    if (!wanted || ordered.length === 0) return [];
    if (ordered.some(({ read }) => compareVersions(read, wanted) === 0)) return [];
    const before = ordered.findLast(({ read }) => compareVersions(read, wanted) < 0);
    const after = ordered.find(({ read }) => compareVersions(read, wanted) > 0);
    if (!before || (after && !isNextVersion(before.version, after.version))) return [];
    const nearest = after
      ? `The nearest known versions are ${before.version} and ${after.version}.`
      : `The newest known version is ${before.version}.`;
    return [{ version, sentence: `${panel} has no version ${version} that is known. ${nearest}` }];
  });
}

/** Whether a version can be the next after another one: the next minor or the next major version. */
function isNextVersion(one: string, next: string): boolean {
  const [first, last] = [versionNumbers(one), versionNumbers(next)];
  if (first === null || last === null) return false;
  const [major, minor] = first;
  return compareVersions(last, [major, minor + 1]) === 0 || compareVersions(last, [major + 1, 0]) === 0;
}
