import type { ReadPart } from '../../lambdas/history/read-part.ts';
import { unreadSentences } from '../../lambdas/history/read-part-words.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import { byteOrderMark, csvLine } from '../../lambdas/messages/csv.ts';
import type { EntityChange, EntityStatus } from '../../lambdas/subscriptions/entity-history.ts';
import type { LocalTimes } from '../frame/local-times.ts';
import { statusWord } from '../frame/rating-view.ts';
import { greenLists, type PanelGreens } from './green-report.ts';

const columns = [
  'what',
  'catalogue',
  'panel id',
  'panel',
  'R codes',
  'type',
  'gene, STR or region',
  'HGNC id',
  'formerly',
  'before',
  'now',
  'steps',
  'on',
  'version of the change',
  'version of the panel',
  'by',
] as const;

interface GreenCsv {
  readonly greens: readonly PanelGreens[];
  readonly parts: readonly ReadPart[];
  readonly codesOf: (greens: PanelGreens) => string;
  readonly times: LocalTimes;
}

/** The list as CSV in the words of the view: a line for each gene, STR or region of a panel, and one for each time that was not read. */
export function greenCsvOf({ greens, parts, codesOf, times }: GreenCsv): string {
  const lines = greens.flatMap((each) =>
    greenLists.flatMap(([list, what]) =>
      each[list].map((change) => lineOf(what, change, each, codesOf(each), times)),
    ),
  );
  const unread = unreadSentences(parts, (at) => times.moment(Number(at / 1000n))).map((sentence) =>
    csvLine(['not read', null, null, sentence]),
  );
  return byteOrderMark + csvLine(columns) + lines.join('') + unread.join('');
}

function lineOf(
  what: string,
  { entity, formerly, from, to, steps, at, version, actor }: EntityChange,
  { panel }: PanelGreens,
  codes: string,
  times: LocalTimes,
): string {
  const word = (status: EntityStatus): string => statusWord(status);
  return csvLine([
    what,
    panel.catalogue,
    panel.id,
    cleanLine(panel.name),
    codes,
    entity.type,
    cleanLine(entity.name),
    entity.hgncId ?? null,
    formerly.map((name) => cleanLine(name)).join('; '),
    word(from),
    word(to),
    steps.map(word).join(' → '),
    at === '' ? null : times.shortDay(times.day(at)),
    versionCell(version),
    versionCell(panel.version),
    cleanLine(actor ?? ''),
  ]);
}

/** A spreadsheet reads `8.10` as the number 8.1; with a `v` before it, it stays a text. */
const versionCell = (version: string | null): string | null =>
  version === null || version === '' ? null : `v${cleanLine(version)}`;
