import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { versionCell } from '../../lambdas/words/change-csv.ts';
import { byteOrderMark, csvLine } from '../../lambdas/words/csv.ts';
import { ratingWord } from '../../lambdas/words/phrase.ts';
import { differencesOf } from './differences.ts';

const columns = ['panel id', 'panel', 'since version', 'version', 'what', 'name', 'HGNC id', 'before', 'now'];

/** What a version holds otherwise than the one before it, a line for each gene, STR or region. */
export function versionCsv(before: VersionState, now: VersionState): string {
  const { added, removed, rated, renamed, changed } = differencesOf(before, now);
  const of = [now.panelId, now.panelName, versionCell(before.version), versionCell(now.version)];
  const line = (
    what: string,
    entity: { readonly name: string; readonly hgncId?: string | null | undefined } | null,
    from: string | null,
    to: string | null,
  ): string => csvLine([...of, what, entity?.name, entity?.hgncId, from, to]);
  return [
    byteOrderMark,
    csvLine(columns),
    ...rated.map(({ entity, change }) =>
      line('rating changed', entity, change.from && ratingWord(change.from), ratingWord(change.to)),
    ),
    ...added.map(({ entity, change }) => line('added', entity, null, ratingWord(change.rating))),
    ...removed.map(({ entity, change }) => line('removed', entity, ratingWord(change.rating), null)),
    ...renamed.map(({ entity, change }) => line('renamed', entity, change.from, change.to)),
    ...changed.map(([name, words]) => line('changed otherwise', { name }, null, words.join('; '))),
  ].join('');
}
