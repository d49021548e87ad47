import type { Hono } from 'hono';
import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import type { NameBook } from '../../lambdas/filters/names.ts';
import { readLag } from '../../lambdas/panels/read-lag.ts';
import { lagCsv } from '../../lambdas/questions/lag-documents.ts';
import { lagRows } from '../../lambdas/questions/lag-rows.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { lagLimits } from '../../lambdas/words/lag-limits.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { isAllUnknown, unknownNames } from '../names/unknown-names.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { type LagQuery, readLagQuery } from './lag-query.ts';
import { type CatalogueLag, lagPageView } from './lag-view.ts';

/** What is green and not signed off yet, and the contrary, as a view and as CSV. */
export function addLagRoutes(app: Hono, context: RouteContext): void {
  const { history, clock, times } = context;

  async function lagOf(catalogue: string, { values }: LagQuery, book: NameBook): Promise<CatalogueLag> {
    const states = context.states(catalogue);
    const asked = new Map<number, string>();
    for (const value of values.panel) {
      for (const { id, name } of panelsCalled(value, catalogue, book)) asked.set(id, name);
    }
    const codes = new Set(values['r-code'].map((code) => code.toUpperCase()));
    for (const { panelId, panelName, relevantDisorders } of codes.size > 0 ? await states.panels() : []) {
      if (rCodesIn(relevantDisorders).some((code) => codes.has(code))) asked.set(panelId, panelName);
    }
    const isLimited = values.panel.length > 0 || codes.size > 0;
    const lag = await readLag({
      catalogue,
      states,
      history: yieldingHistory(history),
      now: instantOf(clock.now()),
      ...(isLimited && { panels: asked }),
    });
    return { catalogue, lag, isAsked: !isLimited || asked.size > 0 };
  }

  async function read(address: string) {
    const query = readLagQuery(new URL(address).searchParams);
    const names = await context.names();
    const unknown = await unknownNames(context, query, names);
    const isUnknown = isAllUnknown(query, unknown);
    const book = await history.names();
    const found: CatalogueLag[] = [];
    for (const catalogue of isUnknown ? [] : await context.followed()) {
      found.push(await lagOf(catalogue, query, book));
    }
    return { query, names, unknown, isUnknown, found: found.filter(({ isAsked }) => isAsked) };
  }

  app.get('/signed-off', async ({ req }) => {
    const page = await read(req.url);
    return context.answer(
      {
        title: 'Not signed off yet',
        current: 'signed-off',
        main: lagPageView(page, context.moment()),
        bodyClass: 'printable',
      },
      page.isUnknown ? 404 : 200,
    );
  });

  app.get('/signed-off.csv', async ({ req }) => {
    const { query, unknown, found } = await read(req.url);
    const [wrong] = unknown;
    if (wrong) return context.refuse(wrong.sentence, 'So no file can say what is signed off of it.', 404);
    const now = instantOf(clock.now());
    const rows = found.flatMap(({ lag, catalogue }) => lagRows(lag, { catalogue, now, order: query.order }));
    const limits = found.flatMap(({ lag, catalogue }) => lagLimits(lag, catalogue));
    const sentences = limits.map(({ sentence }) => sentence);
    return csvResponse([lagCsv(rows, sentences)], `not-signed-off-${times.day(clock.now())}`);
  });
}

function panelsCalled(
  value: string,
  catalogue: string,
  book: NameBook,
): readonly { readonly id: number; readonly name: string }[] {
  const named = book.panelsCalled(value).filter((panel) => panel.catalogue === catalogue);
  return named.length > 0 || !/^\d{1,9}$/.test(value)
    ? named
    : [{ id: Number(value), name: `panel ${value}` }];
}
