import type { Hono } from 'hono';
import { instantOf } from '../../lambdas/clock/instant.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import type { RouteContext } from '../route-context.ts';
import { readView } from '../view.ts';
import { versionPageView } from './version-view.ts';

/** Changes of one version that are looked at and shown. */
const MOST_EVENTS = 1_000;

/** What a version of a panel changed. */
export function addVersionRoutes(app: Hono, context: RouteContext): void {
  const { pages, clock } = context;
  app.get('/version', async ({ req }) => {
    const [catalogue = '', panel = '', version = ''] = [
      req.query('catalogue'),
      req.query('panel'),
      req.query('version'),
    ];
    const id = /^\d{1,9}$/.test(panel) ? Number(panel) : null;
    const store = context.states(catalogue);
    const state = id === null ? null : await store.find(id, version);
    if (id === null || state === null) {
      return context.refuse(
        'No such version',
        `No state of version “${version.slice(0, 40)}” of panel ${panel.slice(0, 40)} of “${catalogue.slice(0, 80)}” is kept. Whether there was such a version is unknown here.`,
        404,
      );
    }
    const versions = await store.versions(id);
    const at = versions.findIndex(({ validFrom }) => validFrom === state.validFrom);
    const previous = versions[at - 1];
    const before = previous ? await store.read(previous) : null;
    const { events } = pages.page(
      {
        catalogue,
        filter: { panels: [id] },
        ...(previous && { since: previous.validFrom }),
        until: state.validTo ?? instantOf(clock.now()),
      },
      { size: MOST_EVENTS, examined: MOST_EVENTS },
    );
    return context.answer({
      title: `${cleanLine(state.panelName)} ${cleanLine(version)}`,
      current: 'none',
      main: versionPageView(
        {
          catalogue,
          state,
          before,
          after: versions[at + 1] ?? null,
          events: events.filter(({ event }) => event.data.panel?.version === version),
          view: readView(new URLSearchParams({ panel: String(id), since: 'all' })),
        },
        context.moment(),
      ),
    });
  });
}
