import type { Activity } from '../../../lambdas/catalogue/schemas.ts';
import { classifyLog } from '../../../lambdas/classifier/classify.ts';
import {
  correlate,
  createKnownStates,
  entitiesOf,
  panelsOf,
} from '../../../lambdas/classifier/correlation/correlate.ts';
import type { PanelEvent, PanelFacts } from '../../../lambdas/events/schemas.ts';
import { noRequests } from '../../../lambdas/panels/listing-of.ts';
import { formatInstant, minutes, parseInstant } from '../../../lambdas/run/instant.ts';
import type { Listing } from '../../../lambdas/store/listing.ts';

const start = parseInstant('2026-01-31T12:00:00Z') ?? 0n;

/** A row written so many milliseconds after noon. */
export function row(milliseconds: number, text: string, given: Partial<Activity> = {}): Activity {
  return {
    created: formatInstant(start + BigInt(Math.floor(milliseconds * 1000))),
    panel_name: 'Hereditary breast cancer',
    panel_id: 7,
    panel_version: '3.2',
    user_name: 'Eleanor Vance',
    item_type: 'entity',
    text,
    entity_name: 'BRCA1',
    entity_type: 'gene',
    ...given,
  };
}

export const onPanel = { item_type: 'panel', entity_name: null, entity_type: null } as const;

const facts: PanelFacts = {
  types: ['gms-rare-disease', 'gms-signed-off'],
  diseaseGroup: 'Tumour syndromes',
  diseaseSubGroup: '',
  relevantDisorders: ['Inherited breast cancer', 'R208'],
  signedOff: true,
};

/** The panel of `row` as it was listed an hour before noon. */
export const listing: Listing = {
  panels: new Map([[7, { name: 'Inherited breast cancer', facts, versions: [] }]]),
  typeSlugs: new Map([['Super Panel', 'superpanel']]),
  readAt: start - minutes(60),
  listedAt: Number(start - minutes(60)) / 1000,
  requests: noRequests,
};

/** The events of rows that one poll after the other reads. */
export function eventsOf(...polls: readonly (readonly Activity[])[]): PanelEvent[] {
  return eventsWith(listing, ...polls);
}

/** The same by another listing of the panels. As a poll does, it loads no other states than those that it has to. */
export function eventsWith(given: Listing | null, ...polls: readonly (readonly Activity[])[]): PanelEvent[] {
  const known = createKnownStates();
  return polls.flatMap((activities) => {
    const rows = classifyLog(activities);
    const loaded = {
      entities: only(known.entities, entitiesOf(rows)),
      panels: only(known.panels, panelsOf(rows)),
    };
    const correlated = correlate(rows, loaded, {
      catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
      listing: given,
    });
    known.learn(correlated.learnt);
    return [...correlated.events];
  });
}

function only<Key, Value>(all: ReadonlyMap<Key, Value>, keys: readonly Key[]): ReadonlyMap<Key, Value> {
  return new Map([...all].filter(([key]) => keys.includes(key)));
}

/** An event in short: its kind, change, and the texts of its rows. */
export function brief(event: PanelEvent): unknown {
  const { change, activities } = event.data;
  return [event.type.slice('gene-panel.'.length, -'.v1'.length), change, activities.map(({ text }) => text)];
}
