import type { Hono } from 'hono';
import type { RouteContext } from '../route-context.ts';
import { mayAskAgain, watcherPageView } from './watcher-view.ts';

/** What the views of the watcher read is loaded with the first of them. */
const load = () =>
  Promise.all([
    import('../../lambdas/notify/kept-messages.ts'),
    import('../../lambdas/panels/archive-record.ts'),
    import('../../lambdas/store/items-sqlite.ts'),
    import('./watcher-state.ts'),
  ]);

/** How the watcher is. */
export function addWatcherRoutes(
  app: Hono,
  { file, history, clock, record, deployed, ...context }: RouteContext,
): void {
  app.get('/watcher', async () => {
    const [{ messagesIn }, , { createSqliteItems }, { keptInFile, readWatcherState }] = await load();
    return context.answer({
      title: 'Watcher',
      current: 'watcher',
      main: watcherPageView(
        {
          catalogues: deployed?.copied().problem
            ? null
            : await readWatcherState(
                deployed?.kept ?? keptInFile(file, await context.followed()),
                history,
                clock.now(),
              ),
          messages: deployed
            ? null
            : await messagesIn(createSqliteItems(file, { what: 'the messages', now: clock.now })),
          record,
          deployed,
          visitor: context.visitor(),
        },
        context.moment(),
      ),
    });
  });

  app.post('/watcher/ask-again', async ({ req, redirect }) => {
    const [, { askAgain }, , { keptInFile }] = await load();
    const { catalogue } = await req.parseBody();
    const kept = keptInFile(file, await context.followed()).find(({ name }) => name === catalogue);
    if (deployed || !kept || !mayAskAgain(context.visitor())) {
      return context.refuse(
        'Nothing was asked',
        'Only a decider may ask a catalogue again, on the machine that reads it.',
        403,
      );
    }
    await askAgain(kept.documents);
    return redirect('/watcher', 303);
  });
}
