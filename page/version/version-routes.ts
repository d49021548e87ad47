import type { Hono } from 'hono';
import { instantOf } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { csvResponse, fileWord } from '../frame/csv-response.ts';
import type { RouteContext } from '../route-context.ts';
import { readView } from '../view.ts';
import { versionCsv } from './version-csv.ts';
import { versionPageView } from './version-view.ts';

/** Changes of one version that are looked at and shown. */
const MOST_EVENTS = 1_000;

/** What a version of a panel changed. */
export function addVersionRoutes(app: Hono, context: RouteContext): void {
  const { pages, clock } = context;
  /** The version that an address names, with the one before it; null where no state of it is kept. */
  async function read(query: (name: string) => string | undefined) {
    const [catalogue = '', panel = '', version = ''] = [query('catalogue'), query('panel'), query('version')];
    const id = /^\d{1,9}$/.test(panel) ? Number(panel) : null;
    const store = context.states(catalogue);
    const state = id === null ? null : await store.find(id, version);
    if (id === null || state === null) return { catalogue, panel, version, found: null };
    const versions = await store.versions(id);
    const at = versions.findIndex(({ validFrom }) => validFrom === state.validFrom);
    const previous = versions[at - 1];
    const before = previous ? await store.read(previous) : null;
    return {
      catalogue,
      panel,
      version,
      found: { id, state, previous, before, after: versions[at + 1] ?? null },
    };
  }
  type Asked = Awaited<ReturnType<typeof read>>;

  const notKept = ({ catalogue, panel, version }: Asked): Promise<Response> =>
    context.refuse(
      'No such version',
      `No state of version “${version.slice(0, 40)}” of panel ${panel.slice(0, 40)} of “${catalogue.slice(0, 80)}” is kept. Whether there was such a version is unknown here.`,
      404,
    );

  app.get('/version.csv', async ({ req }) => {
    const asked = await read((name) => req.query(name));
    if (!asked.found) return notKept(asked);
    const { state, before, id } = asked.found;
    if (!before) {
      return context.refuse(
        'Nothing to compare with',
        'What this version changed is unknown: no version before it was read.',
        404,
      );
    }
    return csvResponse([versionCsv(before, state)], `panel-${id}-${fileWord(state.version)}-changes`);
  });

  app.get('/version', async ({ req }) => {
    const asked = await read((name) => req.query(name));
    if (!asked.found) return notKept(asked);
    const { catalogue, version } = asked;
    const { id, state, previous, before, after } = asked.found;
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
          after,
          events: events.filter(({ event }) => event.data.panel?.version === version),
          view: readView(new URLSearchParams({ panel: String(id), since: 'all' })),
        },
        context.moment(),
      ),
    });
  });
}
