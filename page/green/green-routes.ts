import type { Hono } from 'hono';
import { csvResponse } from '../frame/csv-response.ts';
import { isAllUnknown, unknownNames } from '../names/unknown-names.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { greenCsvOf } from './green-csv.ts';
import { readGreenQuery } from './green-query.ts';
import { periodOf, readGreens } from './green-report.ts';
import { greenPageView } from './green-view.ts';

/** What turned green between two days, as a view and as CSV. */
export function addGreenRoutes(app: Hono, context: RouteContext): void {
  const { history, place, times, clock } = context;

  async function read(address: string) {
    const query = readGreenQuery(new URL(address).searchParams, times, clock.now());
    const names = await context.names();
    const unknown = await unknownNames(context, { values: query.values }, names);
    const isUnknown = isAllUnknown(query, unknown);
    const greens = isUnknown
      ? []
      : await readGreens({ ...place, history: yieldingHistory(history) }, query, context.moment());
    return {
      query,
      names,
      unknown,
      isUnknown,
      greens,
      parts: await context.readParts(periodOf(query, times)),
    };
  }

  app.get('/green', async ({ req }) => {
    const found = await read(req.url);
    return context.answer(
      {
        title: 'What turned green',
        current: 'green',
        main: greenPageView(found, context.moment()),
        bodyClass: 'printable',
      },
      found.isUnknown ? 404 : 200,
    );
  });

  app.get('/green.csv', async ({ req }) => {
    const { query, unknown, greens, parts } = await read(req.url);
    const [wrong] = unknown;
    if (wrong) return context.refuse(wrong.sentence, 'So no file can say what turned green on it.', 404);
    const lines = greenCsvOf({ greens, parts, times });
    return csvResponse([lines], `turned-green-${query.from}-${query.to}`);
  });
}
