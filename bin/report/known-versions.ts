import { compareVersions, versionNumbers } from '../../lambdas/events/panel-version.ts';
import { isNextVersion } from '../../lambdas/filters/between-versions.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { type NamedPlace, namesIn } from '../../lambdas/store/history/unknown-names.ts';

interface KnownPlace extends NamedPlace {
  readonly history: History;
  readonly statesOf?: (catalogue: string) => PanelStateStore;
}

/**
 * Every version of a panel that events, listings and kept states name; of all panels that are called so.
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function versionsNamed(
  place: KnownPlace,
  panel: number | string,
  catalogue: string | undefined,
): Promise<readonly string[]> {
  const names = await namesIn(place);
  const isId = /^\d+$/.test(String(panel));
  const called = isId
    ? names.panels().filter(({ id }) => id === Number(panel))
    : names.panelsCalled(String(panel));
  const panels = called.filter((each) => catalogue === undefined || each.catalogue === catalogue);
  const listings = await place.listings();
  const known: string[] = [];
  for (const { catalogue: name, id } of panels) {
    const listing = listings.find((each) => each.catalogue === name)?.listing;
    const listed = listing?.panels.get(id)?.versions ?? [];
    const kept = (await place.statesOf?.(name).versions(id)) ?? [];
    known.push(...[...listed, ...kept].map(({ version }) => version));
    known.push(...(await versionsInEvents(place.history, name, id)));
  }
  return known;
}

/**
 * Every version of a panel that published events name.
 * @throws {HistoryError} when they cannot be read
 */
export async function versionsInEvents(
  history: Pick<History, 'findWithoutRows'>,
  catalogue: string,
  id: number,
): Promise<readonly string[]> {
  const found = new Set<string>();
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
  asked: readonly (string | undefined)[],
  known: readonly string[],
): readonly string[] {
  const numbers = known.flatMap((version) => {
    const read = versionNumbers(version);
    return read ? [{ version, read }] : [];
  });
  const ordered = numbers.toSorted((one, other) => compareVersions(one.read, other.read));
  return asked.flatMap((version) => {
    const wanted = versionNumbers(version ?? '');
    if (version === undefined || !wanted || ordered.length === 0) return [];
    if (ordered.some(({ read }) => compareVersions(read, wanted) === 0)) return [];
    const before = ordered.findLast(({ read }) => compareVersions(read, wanted) < 0);
    const after = ordered.find(({ read }) => compareVersions(read, wanted) > 0);
    if (!before || (after && !isNextVersion(before.version, after.version))) return [];
    const nearest = after
      ? `The nearest known versions are ${before.version} and ${after.version}.`
      : `The newest known version is ${before.version}.`;
    return [`${panel} has no version ${version} that is known. ${nearest}`];
  });
}
