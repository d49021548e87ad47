import type { EntityChange } from '../../lambdas/filters/entity-history.ts';
import { type ChangeListWords, greenListWords } from '../../lambdas/filters/green-turn.ts';
import type { PanelChanges } from '../../lambdas/filters/net-changes.ts';
import { readReport } from '../../lambdas/questions/read-report.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import type { NamedPlace } from '../../lambdas/store/history/unknown-names.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { readAddressFilter } from '../read-address-filter.ts';
import type { GreenQuery } from './green-query.ts';

/** What a period made green on one panel, and what it made green no longer. */
export interface PanelGreens {
  readonly panel: PanelChanges;
  /** The lists about green that are not empty. */
  readonly lists: readonly { readonly what: ChangeListWords; readonly changes: readonly EntityChange[] }[];
}

/** The instants between which the days of a query lie. */
export const periodOf = ({ from, to }: GreenQuery, times: LocalTimes) => ({
  since: times.startOf(from),
  until: times.startOf(to, 1),
});

/**
 * Reads the net changes of a period: what turned green, and what is green no longer, by panel.
 * @throws {AddressError} when a panel or R code cannot be a filter
 * @throws {HistoryError} when the history cannot be read
 */
export async function readGreens(
  place: NamedPlace & { readonly history: History },
  query: GreenQuery,
  { times, now }: Pick<Moment, 'times' | 'now'>,
): Promise<readonly PanelGreens[]> {
  const { values, signedOff, from, to } = query;
  const filter = readAddressFilter({
    ...(values.panel.length > 0 && { panel: values.panel }),
    ...(values['r-code'].length > 0 && { 'r-code': values['r-code'] }),
    ...(signedOff && { 'panel-type': ['gms-signed-off'] }),
  });
  const period = periodOf(query, times);
  const span = { title: `${from} to ${to}`, period, now: instantOf(now), includes: () => true };
  const { changes } = await readReport(place, { ...period, filter }, span);
  return changes.panels
    .map((panel) => ({
      panel,
      lists: greenListWords
        .map((what) => ({ what, changes: panel.lists[what] }))
        .filter(({ changes }) => changes.length > 0),
    }))
    .filter(({ lists }) => lists.length > 0);
}
