import type { Hono } from 'hono';
import { unsentMessages } from '../../lambdas/notify/sqlite-unsent.ts';
import type { RouteContext } from '../route-context.ts';
import { readWatcherState } from './watcher-state.ts';
import { watcherPageView } from './watcher-view.ts';

/** How the watcher is. */
export function addWatcherRoutes(
  app: Hono,
  { file, history, clock, record, ...context }: RouteContext,
): void {
  app.get('/watcher', async () =>
    context.answer({
      title: 'Watcher',
      current: 'watcher',
      main: watcherPageView(
        {
          catalogues: await readWatcherState(file, history),
          unsent: unsentMessages(file, clock.now()),
          record,
        },
        context.moment(),
      ),
    }),
  );
}
