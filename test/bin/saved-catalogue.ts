import { z } from 'zod';
import { type CatalogueOptions, startCatalogue } from '../../sandbox/catalogue/start.ts';
import type { TestClock } from '../run/test-clock.ts';

const pageSchema = z.object({ results: z.array(z.unknown()), next: z.string().nullable() });
const detailSchema = z.looseObject({ id: z.int(), version: z.string() });

async function allOf(url: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for (let next: string | null = url; next !== null; ) {
    const page: z.infer<typeof pageSchema> = pageSchema.parse(await (await fetch(next)).json());
    items.push(...page.results);
    next = page.next;
  }
  return items;
}

/** A gene, STR or region of a panel, as the catalogue serves it. */
export type ServedEntity = Record<string, unknown> & { entity_name: string };

/** A panel at one version, as the catalogue serves it. */
export interface ServedPanel {
  readonly id: number;
  readonly version: string;
  genes: ServedEntity[];
}

/** What a made-up catalogue serves, saved whole, so that a test can change what was archived. */
export interface SavedCatalogue {
  readonly lists: NonNullable<CatalogueOptions['lists']>;
  /** The archived versions of a panel, oldest first, and the panel as it is; changes to them are served. */
  versionsOf(panelId: number): readonly ServedPanel[];
}

/** @param history about how many rows the catalogue has */
export async function saveCatalogue(clock: TestClock, history: number): Promise<SavedCatalogue> {
  const catalogue = await startCatalogue({ clock, history, ties: 'fixed' });
  try {
    const [activities, panels, regions] = await Promise.all(
      ['activities', 'panels', 'regions'].map((list) => allOf(`${catalogue.url}${list}/`)),
    );
    const current: Record<string, object> = {};
    const versions: Record<string, object> = {};
    const byPanel = new Map<number, ServedPanel[]>();
    for (const { id, version: newest } of z.array(detailSchema).parse(panels)) {
      const present = structuredClone(catalogue.details?.present(id));
      if (!present) continue;
      current[id] = present;
      const own: ServedPanel[] = [];
      for (let major = 0; major <= Number(newest.split('.')[0]); major += 1) {
        for (let minor = 0; ; minor += 1) {
          const archived = structuredClone(catalogue.details?.version(id, `${major}.${minor}`));
          if (!archived || `${major}.${minor}` === newest) break;
          versions[`${id}@${major}.${minor}`] = archived;
          own.push(archived as ServedPanel);
        }
      }
      byPanel.set(id, [...own, present as ServedPanel]);
    }
    return {
      lists: {
        ...(activities && { activities }),
        ...(panels && { panels }),
        ...(regions && { regions }),
        details: { current, versions, signedOff: [] },
      },
      versionsOf: (panelId) => byPanel.get(panelId) ?? [],
    };
  } finally {
    await catalogue.close();
  }
}
