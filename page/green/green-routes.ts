import type { Hono } from 'hono';
import { namedPlaceOf } from '../../lambdas/history/sqlite-named-place.ts';
import { panelName } from '../../lambdas/messages/panel-words.ts';
import type { PanelChanges } from '../../lambdas/subscriptions/net-changes.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { newestOf } from '../newest-event.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { readGreenQuery } from './green-query.ts';
import { greenCsvOf, readGreenReport } from './green-report.ts';
import { greenPageView } from './green-view.ts';

/** What turned green between two days, as a view and as CSV. */
export function addGreenRoutes(app: Hono, context: RouteContext): void {
  const { file, history, pages, times, clock } = context;
  const place = namedPlaceOf(file);

  app.get('/green', async ({ req }) => {
    const query = readGreenQuery(new URL(req.url).searchParams, times, clock.now());
    const report = await readGreenReport(
      { ...place, history: yieldingHistory(history) },
      query,
      context.moment(),
    );
    const codesOf = ({ catalogue, id }: PanelChanges): string =>
      panelName(newestOf(pages, catalogue, id)?.data.panel ?? null).codes;
    return context.answer({
      title: 'What turned green',
      current: 'green',
      main: greenPageView(query, { report, codesOf }, context.moment()),
      bodyClass: 'printable',
    });
  });

  app.get('/green.csv', async ({ req }) => {
    const query = readGreenQuery(new URL(req.url).searchParams, times, clock.now());
    const report = await readGreenReport(
      { ...place, history: yieldingHistory(history) },
      query,
      context.moment(),
    );
    return csvResponse([greenCsvOf(report)], `turned-green-${query.from}-${query.to}`);
  });
}
