import type { Activity } from '../lambdas/catalogue/schemas.ts';
import { classifyLog } from '../lambdas/classifier/classify.ts';
import { correlate, createKnownStates } from '../lambdas/classifier/correlation/correlate.ts';
import { correctionOf } from '../lambdas/differences/corrections.ts';
import { difference } from '../lambdas/differences/difference.ts';
import { eventsOf } from '../lambdas/differences/events-of.ts';
import { type EventKindName, eventKindNames } from '../lambdas/events/changes.ts';
import { type EntityIds, kindOf, type PanelEvent } from '../lambdas/events/schemas.ts';
import { noRequests } from '../lambdas/panels/listing-of.ts';
import { type Message, toMessage } from '../lambdas/publishing/message.ts';
import { disagreementEvent } from '../lambdas/reconcile/disagreements-of.ts';
import { parseInstant } from '../lambdas/run/instant.ts';

const panel = { panel_id: 9999, panel_name: 'Example panel', panel_version: '1.5' };
const aboutPanel = { item_type: 'panel', entity_name: null, entity_type: null };
const about = (entity_name: string, entity_type = 'gene') => ({
  item_type: 'entity',
  entity_name,
  entity_type,
});
const example1 = about('EXAMPLE1');

interface Action {
  /** The rows of one curator's action: what they are about, and their texts. */
  readonly rows: readonly (readonly [about: Partial<Activity>, text: string])[];
}

const action = (...rows: Action['rows']): Action => ({ rows });

/** Actions of curators in the catalogue's own wording, one after another; genes, panel and people are invented. */
const actions: readonly Action[] = [
  action([aboutPanel, 'Added Panel Example panel']),
  action([
    example1,
    'gene: EXAMPLE1 was added\ngene: EXAMPLE1 was added to Example panel. Sources: Expert list,Expert Review Amber\n' +
      'Mode of inheritance for gene: EXAMPLE1 was set to BIALLELIC, autosomal or pseudoautosomal',
  ]),
  action([
    example1,
    'reviewed gene: EXAMPLE1: Rating: GREEN; Mode of pathogenicity: None; Publications: 12345678; ' +
      'Phenotypes: Example syndrome, 600000; Mode of inheritance: BIALLELIC, autosomal or pseudoautosomal',
  ]),
  action([example1, 'commented on gene: EXAMPLE1: Three unrelated families with segregation.']),
  action([example1, 'Tag watchlist tag was added to gene: EXAMPLE1.']),
  action([
    example1,
    'Mode of inheritance for gene: EXAMPLE1 was changed from BIALLELIC, autosomal or pseudoautosomal to ' +
      'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
  ]),
  action(
    [example1, 'Gene: example1 has been classified as Green List (High Evidence).'],
    [example1, 'Classified gene: EXAMPLE1 as Green List (high evidence)'],
  ),
  action([example1, 'Marked gene: EXAMPLE1 as ready']),
  action([about('EXAMPLE2'), 'Deleted their review']),
  action([aboutPanel, 'Added reviews for gene EXAMPLE3 from panel Other example panel']),
  action([about('EXAMPLE_CAG', 'str'), 'EXAMPLE was changed to EXAMPLE_CAG']),
  action([aboutPanel, 'removed gene:EXAMPLE4 from the panel']),
  action([aboutPanel, 'Panel types changed to Rare Disease']),
  action([aboutPanel, 'Panel status changed from internal to public']),
  action([{ ...aboutPanel, panel_version: '2.0' }, 'promoted panel to version 2.0']),
  action([aboutPanel, 'Panel version has been signed off']),
  action([example1, 'EXAMPLE1 was mentioned in the minutes']),
  action([aboutPanel, 'Panel status changed from public to retired']),
  action([aboutPanel, 'Panel deleted']),
];

/** The rows of the actions, oldest first: one action a day, its rows milliseconds apart. */
const log: readonly Activity[] = actions.flatMap(({ rows }, day) =>
  rows.map(([subject, text], index) => ({
    created: `2026-11-${String(day + 1).padStart(2, '0')}T10:15:30.${120 + 25 * index}000Z`,
    ...panel,
    ...example1,
    ...subject,
    user_name: 'Jo Example',
    text,
  })),
);

const facts = {
  types: ['gms-rare-disease', 'gms-signed-off'],
  diseaseGroup: 'Examples',
  diseaseSubGroup: '',
  relevantDisorders: ['An example of a disorder', 'R0'],
  signedOff: true,
};

const ids: Readonly<Record<string, EntityIds>> = {
  EXAMPLE1: { hgncId: 'HGNC:900001', ensemblId: 'ENSG00000900001', omimIds: ['600001'] },
};

const readAt = parseInstant('2026-11-30T10:00:00Z') ?? 0n;

/** One published event of each kind, as classification and correlation of the log give it. */
export function exampleEvents(): ReadonlyMap<EventKindName, PanelEvent> {
  const { events } = correlate(classifyLog(log), createKnownStates(), {
    catalogue: { name: 'uk', url: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
    listing: {
      panels: new Map([[panel.panel_id, { name: panel.panel_name, facts, versions: [] }]]),
      typeSlugs: new Map(),
      readAt,
      listedAt: Number(readAt) / 1000,
      requests: noRequests,
    },
    known: {
      idsOf: (_panel, { name }) => ids[name],
      signedOffOf: () => ({ signedOffVersion: '1.2', signedOffDate: '2026-09-14' }),
    },
  });
  const examples = new Map(
    eventKindNames.flatMap((kind) => {
      // The last of a kind: an earlier rating is known by then.
      const event = [...events, disagreementExample()].findLast(({ type }) => kindOf(type) === kind);
      return event ? [[kind, event] as const] : [];
    }),
  );
  const missing = eventKindNames.filter((kind) => !examples.has(kind));
  if (missing.length > 0) throw new Error(`The log of the examples gives no event of ${missing.join(', ')}`);
  return examples;
}

/** A gene that is green here, and amber in another catalogue. */
function disagreementExample(): PanelEvent {
  const entity = { type: 'gene', name: 'EXAMPLE1', hgncId: ids.EXAMPLE1?.hgncId ?? null } as const;
  const mine = {
    name: entity.name,
    status: 'green',
    modes: ['BIALLELIC, autosomal or pseudoautosomal'],
    since: { at: parseInstant('2026-11-07T10:15:30.120Z') ?? 0n, version: '1.5', isExact: true },
    signedOff: { version: '1.2', date: '2026-09-14', status: 'amber' },
    rated: { words: 'green', actor: 'Jo Example', at: '2026-11-07T10:15:30.120000Z' },
    wrote: {
      words: 'Three unrelated families with segregation.',
      actor: 'Jo Example',
      at: '2026-11-04T10:15:30.120000Z',
    },
  } as const;
  const since = { at: parseInstant('2025-03-01T00:30:00Z') ?? 0n, version: '0.98', isExact: false };
  const theirs = {
    name: entity.name,
    status: 'amber',
    modes: ['BIALLELIC, autosomal or pseudoautosomal'],
    ...{ signedOff: null, rated: null, wrote: null, since },
  } as const;
  return disagreementEvent({
    change: {
      entity: { ...entity, standing: 'here', event: null },
      from: 'agreed',
      to: 'here',
    },
    sides: [mine, theirs],
    panel: { id: panel.panel_id, name: panel.panel_name, version: panel.panel_version, ...facts },
    there: { panelId: 77, panelName: 'Example panel', version: '0.98' },
    catalogues: {
      here: { name: 'uk', url: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
      there: { name: 'australia' },
    },
    at: parseInstant('2026-11-07T10:20:00Z') ?? 0n,
  });
}

/** A rating that no row states: found by comparing what the panel held at two versions. */
export function snapshotExample(): PanelEvent {
  const change = { from: 'amber', to: 'green', direction: 'upgraded', via: 'snapshot' } as const;
  const entity = { type: 'gene', name: 'EXAMPLE1', ...ids.EXAMPLE1 } as const;
  const [event] = eventsOf(
    { id: panel.panel_id, name: panel.panel_name, version: '1.6' },
    [difference('entity.classified', change, entity)],
    {
      catalogue: { name: 'uk', url: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
      foundAgainst: '1.6 2026-11-29T09:30:00.250000Z',
      at: parseInstant('2026-11-29T09:30:00.250000Z') ?? 0n,
      facts,
    },
  );
  if (!event) throw new Error('A difference gives no event');
  return event;
}

/** The correction of an event that named another rating before. */
export function correctionExample(): PanelEvent {
  const event = exampleEvents().get('entity.classified');
  if (event?.type !== 'gene-panel.entity.classified.v1') throw new Error('There is no example of a rating');
  const { change } = event.data;
  return correctionOf({ event, change: { ...change, from: 'red', direction: 'upgraded' } }, false);
}

/** A gene that turns green, with every attribute that filters see. */
export function exampleMessage(): Message {
  const event = exampleEvents().get('entity.classified');
  if (event === undefined) throw new Error('The log of the examples gives no entity.classified');
  return toMessage(event);
}

/** Message attributes as `aws sns publish --message-attributes` takes them. */
export function attributesForCli({ attributes }: Message): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, value }]) => [
      name,
      { DataType: type, StringValue: value },
    ]),
  );
}
