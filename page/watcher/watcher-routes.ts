import type { Hono } from 'hono';
import { unsentMessages } from '../../lambdas/notify/sqlite-unsent.ts';
import type { RouteContext } from '../route-context.ts';
import { keptInFile, readWatcherState } from './watcher-state.ts';
import { watcherPageView } from './watcher-view.ts';

/** How the watcher is. */
export function addWatcherRoutes(
  app: Hono,
  { file, history, clock, record, deployed, ...context }: RouteContext,
): void {
  app.get('/watcher', async () =>
    context.answer({
      title: 'Watcher',
      current: 'watcher',
      main: watcherPageView(
        {
          catalogues: deployed?.copied().problem
            ? null
            : await readWatcherState(deployed?.kept ?? keptInFile(file, await context.followed()), history),
          unsent: deployed ? [] : unsentMessages(file, clock.now()),
          record,
          deployed,
        },
        context.moment(),
      ),
    }),
  );
}
