import type { Hono } from 'hono';
import { messagesIn } from '../../lambdas/notify/kept-messages.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
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
          messages: deployed
            ? null
            : await messagesIn(createSqliteItems(file, { what: 'the messages', now: clock.now })),
          record,
          deployed,
        },
        context.moment(),
      ),
    }),
  );
}
