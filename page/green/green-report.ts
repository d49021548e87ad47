import { instantOf } from '../../lambdas/clock/instant.ts';
import type { History } from '../../lambdas/history/history.ts';
import type { NamedPlace } from '../../lambdas/history/unknown-names.ts';
import { readReport } from '../../lambdas/reports/read-report.ts';
import type { EntityChange } from '../../lambdas/subscriptions/entity-history.ts';
import type { PanelChanges } from '../../lambdas/subscriptions/net-changes.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { readAddressFilter } from '../read-address-filter.ts';
import type { GreenQuery } from './green-query.ts';

/** What a period made green on one panel, and what it made green no longer. */
export interface PanelGreens {
  readonly panel: PanelChanges;
  readonly nowGreen: readonly EntityChange[];
  /** Rated green where the earlier rating is unknown: they may have been green before. */
  readonly perhapsGreenBefore: readonly EntityChange[];
  readonly noLongerGreen: readonly EntityChange[];
}

/** The three lists of a panel, with their words: in views, CSV and counts. */
export const greenLists = [
  ['nowGreen', 'now green'],
  ['perhapsGreenBefore', 'rated green, perhaps green before'],
  ['noLongerGreen', 'no longer green'],
] as const;

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
      nowGreen: panel.nowGreen.filter((change) => change.from !== 'unknown'),
      perhapsGreenBefore: panel.nowGreen.filter((change) => change.from === 'unknown'),
      noLongerGreen: panel.noLongerGreen,
    }))
    .filter((greens) => greenLists.some(([list]) => greens[list].length > 0));
}
