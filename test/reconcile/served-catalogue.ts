import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { Activity, Panel, Region } from '../../lambdas/catalogue/schemas.ts';
import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { type PanelEvent, typeName } from '../../lambdas/events/schemas.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock, type TestClock } from '../run/test-clock.ts';
import { nextMajor, regionNamed } from './simulated-catalogue.ts';
import { createSweeper, type Sweeper } from './sweep-harness.ts';

/** A sandbox whose panels a test changes, with and without rows, and a poller and a sweep that read it over HTTP. */
export interface ServedCatalogue extends Sweeper {
  readonly clock: TestClock;
  readonly catalogue: Catalogue;
  readonly panels: Panel[];
  readonly regions: Region[];
  /** Panel 3, which holds the region ISCA-3-Loss. */
  readonly panel: Panel;
  readonly region: Region;
  /** A row about a panel, or about the region; one of an open transaction is dated `lateMs` before it shows up. */
  write(text: string, given?: WrittenRow): void;
  /** Rates the region, with the two rows that the catalogue writes. */
  rate(list: 'Green List (High Evidence)' | 'Red List (Low Evidence)', given?: WrittenRow): void;
  promote(given?: WrittenRow): void;
  addPanel(id: number): Panel;
  hide(id: number): void;
  reveal(id: number): void;
  /** The changes of one kind that were published of panel 3, each event once, in the order in which they were accepted. */
  published<Kind extends EventKindName>(kind: Kind, panel?: number): readonly Changes[Kind][];
  events(): readonly PanelEvent[];
  /** Hours pass. */
  pass(hours: number): void;
  /** Lets milliseconds pass, then polls. */
  pollAfter(milliseconds: number): Promise<void>;
  /** Lets hours pass, then sweeps. */
  sweepAfter(hours: number): Promise<void>;
  close(): Promise<void>;
}

interface WrittenRow {
  readonly lateMs?: number;
  readonly panel?: Panel;
  readonly about?: Partial<Activity>;
}

const HOUR = 3_600_000;

function panelOf(id: number): Panel {
  return {
    id,
    hash_id: null,
    name: `Panel ${id}`,
    disease_group: 'Neurology',
    disease_sub_group: '',
    description: `About panel ${id}`,
    status: 'public',
    version: '1.3',
    version_created: '2026-10-01T00:00:00Z',
    relevant_disorders: [`R${id}`],
    stats: { number_of_genes: 20, number_of_strs: 0, number_of_regions: 1 },
    types: [{ name: 'Rare disease', slug: 'rare-disease', description: '' }],
  };
}

const regionOf = (panel: Panel): Region => ({ ...regionNamed(`ISCA-${panel.id}-Loss`), panel }) as Region;

/** A catalogue of seven panels with a region each, whose log and listings were read once an hour ago. */
export async function serveCatalogue(): Promise<ServedCatalogue> {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const panels = [1, 2, 3, 4, 5, 6, 7].map(panelOf);
  const regions = panels.map(regionOf);
  const sandbox = await startCatalogue({ clock, lists: { activities: [], panels, regions } });
  const catalogue = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  const sweeper = createSweeper({ catalogue, clock });
  const [panel, region] = [panels[2], regions[2]];
  if (!panel || !region) throw new Error('the catalogue has no panel 3');

  const served: ServedCatalogue = {
    ...sweeper,
    clock,
    catalogue,
    panels,
    regions,
    panel,
    region,
    write(text, { lateMs = 0, panel: own = panel, about = {} } = {}) {
      const row = {
        panel_id: own.id,
        panel_name: own.name,
        panel_version: own.version,
        user_name: 'A Curator',
        item_type: 'panel',
        text,
        entity_name: null,
        entity_type: null,
        ...about,
      };
      sandbox.addRows([row], { lateMs });
    },
    rate(list, given = {}) {
      const about = {
        item_type: 'entity',
        entity_name: region.entity_name,
        entity_type: 'region',
        ...given.about,
      };
      region.confidence_level = list.startsWith('Green') ? '3' : '1';
      served.write(`Region: isca-3-loss has been classified as ${list}.`, { ...given, about });
      served.write(
        `Classified Region: ISCA-3-Loss as ${list.replace(/\((\w)/, (text) => text.toLowerCase())}`,
        {
          ...given,
          lateMs: (given.lateMs ?? 0) - 5,
          about,
        },
      );
    },
    promote(given = {}) {
      const own = given.panel ?? panel;
      own.version = nextMajor(own.version);
      served.write(`promoted panel to version ${own.version}`, given);
    },
    addPanel(id) {
      const added = panelOf(id);
      panels.push(added);
      regions.push(regionOf(added));
      return added;
    },
    hide: (id) => sandbox.hidePanel(id),
    reveal: (id) => sandbox.revealPanel(id),
    events: () => {
      const events = sweeper.accepted.map(({ body }) => JSON.parse(body) as PanelEvent);
      return [...new Map(events.map((event) => [event.id, event])).values()];
    },
    published: <Kind extends EventKindName>(kind: Kind, id = 3) =>
      served
        .events()
        .filter(({ type, data }) => type === typeName(kind) && data.panel?.id === id)
        .map(({ data }) => data.change as Changes[Kind]),
    pass: (hours) => clock.pass(hours * HOUR),
    async pollAfter(milliseconds) {
      clock.pass(milliseconds);
      await served.poll();
    },
    async sweepAfter(hours) {
      served.pass(hours);
      await served.sweep();
    },
    async close() {
      await catalogue.close();
      await sandbox.close();
    },
  };
  for (const each of panels) served.write('promoted panel to version 1.0', { panel: each, lateMs: HOUR });
  await served.poll();
  await served.sweep();
  served.pass(1);
  return served;
}
