import type { ReadPart } from '../../lambdas/store/history/read-part.ts';
import { unreadSentences } from '../../lambdas/store/history/read-part-words.ts';
import { changeCsv, entityColumns, panelColumns } from '../../lambdas/words/change-csv.ts';
import type { LocalTimes } from '../frame/local-times.ts';
import type { PanelGreens } from './green-report.ts';

interface GreenCsv {
  readonly greens: readonly PanelGreens[];
  readonly parts: readonly ReadPart[];
  readonly times: LocalTimes;
}

/** The list as CSV in the words of the view: a line for each gene, STR or region of a panel, and one for each time that was not read. */
export function greenCsvOf({ greens, parts, times }: GreenCsv): string {
  const changes = greens.flatMap(({ panel, lists }) =>
    lists.flatMap(({ what, changes: own }) =>
      own.map((change) => ({ what, ...panelColumns(panel), ...entityColumns(change, times.day) })),
    ),
  );
  const unread = unreadSentences(parts, (at) => times.moment(Number(at / 1000n))).map((sentence) => ({
    what: 'not read',
    panel: sentence,
  }));
  return changeCsv([...changes, ...unread]);
}
