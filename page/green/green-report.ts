import { instantOf } from '../../lambdas/clock/instant.ts';
import type { History } from '../../lambdas/history/history.ts';
import type { NamedPlace } from '../../lambdas/history/unknown-names.ts';
import { readReport } from '../../lambdas/reports/read-report.ts';
import type { Report } from '../../lambdas/reports/report.ts';
import { csvOf } from '../../lambdas/reports/report-csv.ts';
import type { Moment } from '../frame/local-times.ts';
import { readAddressFilter } from '../read-address-filter.ts';
import type { GreenQuery } from './green-query.ts';

/**
 * The net changes of a period with nothing but what turned green or is green no longer.
 * @throws {AddressError} when a panel or R code cannot be a filter
 * @throws {HistoryError} when the history cannot be read
 */
export async function readGreenReport(
  place: NamedPlace & { readonly history: History },
  { from, to, panel, rCode, signedOff }: GreenQuery,
  { times, now }: Pick<Moment, 'times' | 'now'>,
): Promise<Report> {
  const filter = readAddressFilter({
    ...(panel !== '' && { panel: [panel] }),
    ...(rCode !== '' && { 'r-code': [rCode] }),
    ...(signedOff && { 'panel-type': ['gms-signed-off'] }),
  });
  const period = { since: times.startOf(from), until: times.startOf(to, 1) };
  const span = { title: `${from} to ${to}`, period, now: instantOf(now), includes: () => true };
  return greensOf(await readReport(place, { ...period, filter }, span));
}

function greensOf(report: Report): Report {
  const panels = report.changes.panels
    .filter(({ nowGreen, noLongerGreen }) => nowGreen.length + noLongerGreen.length > 0)
    .map((panel) => ({ ...panel, otherRatings: [], changedBack: [], added: [], removed: [] }));
  return { ...report, changes: { ...report.changes, panels } };
}

/** The greens as CSV: a line for each entity, and none for what happened to the panel itself. */
export function greenCsvOf(report: Report): string {
  const panels = report.changes.panels.map((panel) => ({
    ...panel,
    promoted: null,
    signedOff: null,
    renamed: null,
  }));
  return csvOf({ ...report, changes: { ...report.changes, panels } });
}
