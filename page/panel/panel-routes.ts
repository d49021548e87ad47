import type { Hono } from 'hono';
import { instantOf } from '../../lambdas/clock/instant.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import { pageAddress } from '../../lambdas/messages/page-address.ts';
import { newestOf } from '../newest-event.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { readPanelHistory } from './panel-history.ts';
import { panelPageView } from './panel-view.ts';

/** The timeline of a panel. */
export function addPanelRoutes(app: Hono, context: RouteContext): void {
  const { history, pages, times, clock } = context;
  app.get('/panel/:catalogue/:id', async ({ req }) => {
    const [catalogue, id] = [req.param('catalogue'), Number(req.param('id'))];
    const found = Number.isSafeInteger(id)
      ? await readPanelHistory(yieldingHistory(history), catalogue, id)
      : null;
    if (!found) {
      return context.refuse(
        'No such panel',
        `The history has no change of a panel ${req.param('id').slice(0, 40)} of “${catalogue.slice(0, 80)}”.`,
        404,
      );
    }
    const newest = newestOf(pages, catalogue, id);
    const about = newest && ({ ...newest, data: { ...newest.data, entity: null } } as PanelEvent);
    return context.answer({
      title: cleanLine(found.panel.name),
      current: 'none',
      main: panelPageView(
        { id, catalogue, address: about ? pageAddress(about) : null, history: found },
        times,
        instantOf(clock.now()),
      ),
    });
  });
}
