import { comparePanel } from '../../lambdas/differences/compare.ts';
import type { Difference } from '../../lambdas/differences/difference.ts';
import type { EventKindName } from '../../lambdas/events/changes.ts';
import { shownState } from '../../lambdas/panels/shown-state.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { fieldWord } from '../../lambdas/words/value-words.ts';

type DifferenceOf<Kind extends EventKindName> = Extract<Difference, { readonly kind: Kind }>;

/** What differs between two versions of a panel, in the lists that people read. */
interface VersionDifferences {
  readonly added: readonly DifferenceOf<'entity.added'>[];
  readonly removed: readonly DifferenceOf<'entity.removed'>[];
  /** Without the ratings of what was added. */
  readonly rated: readonly DifferenceOf<'entity.classified'>[];
  readonly renamed: readonly DifferenceOf<'entity.renamed'>[];
  /** Names of entities, with the words of what else differs. */
  readonly changed: readonly (readonly [name: string, words: readonly string[]])[];
}

/** What a version of a panel holds otherwise than the one before it. What one of the two does not state is no difference. */
export function differencesOf(before: VersionState, now: VersionState): VersionDifferences {
  const { differences } = comparePanel({
    before: shownState(before),
    events: [],
    after: shownState(now),
    via: 'snapshot',
  });
  const of = <Kind extends EventKindName>(kind: Kind): readonly DifferenceOf<Kind>[] =>
    differences.filter((one): one is DifferenceOf<Kind> => one.kind === kind);
  const added = of('entity.added');
  const ofAdded = new Set(added.map(({ entity }) => entity));
  const changed = new Map<string, Set<string>>();
  for (const one of differences) {
    const name = one.entity?.name ?? '';
    const words = ofAdded.has(one.entity) ? [] : wordsOf(one);
    if (words.length > 0) changed.set(name, new Set([...(changed.get(name) ?? []), ...words]));
  }
  return {
    added,
    removed: of('entity.removed'),
    rated: of('entity.classified').filter(({ entity }) => !ofAdded.has(entity)),
    renamed: of('entity.renamed'),
    changed: [...changed].map(([name, words]) => [name, [...words]]),
  };
}

/** The words of a difference that has no list of its own. */
function wordsOf({ kind, change }: Difference): readonly string[] {
  switch (kind) {
    case 'entity.added':
    case 'entity.removed':
    case 'entity.classified':
    case 'entity.renamed':
      return [];
    case 'entity.annotated':
      return change.changes.map(fieldWord);
    case 'entity.tags-changed':
      return ['tags'];
    default:
      return [kind];
  }
}
