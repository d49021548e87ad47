import fc from 'fast-check';
import {
  type Changes,
  directions,
  disagreementStandings,
  type EventKindName,
  ratings,
} from '../../lambdas/events/changes.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import { type EventPanel, entityTypes, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { formatInstant, type Instant, parseInstant } from '../../lambdas/run/instant.ts';

/**
 * Events whose names come from small pools, so that filters drawn from the same pools match some of them.
 * Names differ in letter case, hold white space, quotes and what is special to SQL and to full-text search.
 */
export const pools = {
  catalogues: ['uk', 'australia'],
  panelIds: [1, 2, 3, 44],
  panelNames: [
    'Hearing loss',
    'hearing LOSS',
    "Alport's  syndrome",
    'Größe; DROP',
    '44',
    'R59, 100 %_* "a\\b" [x]',
    ' Ataxia \u0000\u2028 ',
    '\ud83e\uddec',
  ],
  panelTypes: ['gms-signed-off', 'superpanel', 'rare disease'],
  disorders: ['R59', 'R59.3 Early onset epilepsy', 'Hereditary ataxia, R54', 'r208', 'R5', 'no code'],
  entityNames: [
    'BRCA1',
    'brca1',
    'C9orf72',
    'MT-ND1',
    'ISCA-37390-Loss',
    'a "b" OR c',
    'Ünï',
    // Longer than a key of an index, and equal up to the last letter.
    `${'é'.repeat(1000)}a`,
    `${'é'.repeat(1000)}b`,
  ],
  tags: ['treatable', 'Treatable', 'new-gene-name', 'x y', "'; --"],
  actors: ['Catherine Snowe', 'catherine  snowe', 'Zoë', "O'Neil, M. (*)", ''],
  modes: [
    'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
    'BIALLELIC, autosomal or pseudoautosomal',
    'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
    'Unknown',
  ],
  words: ['ataxia', 'mitochondrial', 'PMID: 123', 'café', '"quoted"', 'NOT'],
} as const;

const from = parseInstant('2024-01-01T00:00:00Z') as Instant;
const text = fc.constantFrom(...pools.words);
const texts = fc.uniqueArray(text, { maxLength: 2 });
const tags = fc.uniqueArray(fc.constantFrom(...pools.tags), { maxLength: 2 });
const entityName = fc.constantFrom(...pools.entityNames);
const panelName = fc.constantFrom(...pools.panelNames);
const mode = fc.constantFrom(...pools.modes);
const rating = fc.option(fc.constantFrom(...ratings));

const via = fc.constantFrom('activity' as const, 'listing' as const);

const status = fc.constantFrom(...ratings, 'absent' as const);
const disagreementSide = {
  rating: status,
  modesOfInheritance: fc.array(mode, { maxLength: 2 }),
  since: fc.constant('2026-01-31T12:00:00.000000Z'),
  sinceIsExact: fc.boolean(),
  signedOff: fc.option(
    fc.record({
      version: fc.constant('1.0'),
      date: fc.constant('2026-01-01'),
      rating: fc.option(status),
    }),
  ),
  ratedBy: fc.option(fc.constantFrom(...pools.actors)),
  comment: fc.option(text),
  commentBy: fc.option(fc.constantFrom(...pools.actors)),
};

const changes: { readonly [Kind in EventKindName]: fc.Arbitrary<Changes[Kind]> } = {
  'entity.classified': fc.record({ from: rating, to: rating, direction: fc.constantFrom(...directions) }),
  'entity.tags-changed': fc.record({ added: tags, removed: tags }),
  'entity.added': fc.record({ rating, sources: texts, tags, copiedFrom: fc.option(panelName) }),
  'entity.removed': fc.record({ rating }),
  'entity.renamed': fc.record({ from: entityName, to: entityName }),
  'entity.commented': fc.record({ comment: fc.option(text), action: fc.constant('added' as const) }),
  'panel.promoted': fc.record({
    version: fc.constantFrom('1.0', '2.0'),
    previousVersion: fc.constant(null),
    via: fc.constant('activity' as const),
  }),
  'panel.signed-off': fc.record({ signedOff: fc.boolean(), via: fc.constant('activity' as const) }),
  'panel.changed': fc.record({
    changes: fc.array(fc.record({ field: fc.constant('name' as const), from: panelName, to: panelName }), {
      minLength: 1,
      maxLength: 1,
    }),
  }),
  'entity.annotated': fc.record({
    changes: fc.array(
      fc.oneof(
        fc.record({
          field: fc.constantFrom('phenotypes' as const, 'transcript' as const),
          from: text,
          to: text,
        }),
        fc.record({ field: fc.constant('modeOfInheritance' as const), from: mode, to: mode }),
        fc.record({ field: fc.constant('sources' as const), aspect: fc.constant('all') }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    rating,
  }),
  'entity.reviewed': fc.record({ rating, publications: texts, edited: fc.boolean() }),
  'entity.review-deleted': fc.constant({}),
  'entity.reviews-copied': fc.record({ fromPanel: panelName }),
  'entity.marked-ready': fc.constant({}),
  'panel.created': fc.record({ name: panelName }),
  'panel.deleted': fc.record({ name: panelName }),
  'panel.published': fc.record({ via }),
  'panel.withdrawn': fc.record({ via }),
  'entity.disagreement': fc.record({
    from: fc.constantFrom(...disagreementStandings),
    to: fc.constantFrom(...disagreementStandings),
    here: fc.record(disagreementSide),
    there: fc.record({
      ...disagreementSide,
      catalogue: fc.constantFrom(...pools.catalogues),
      panel: fc.record({
        id: fc.constantFrom(...pools.panelIds),
        name: panelName,
        version: fc.constant('0.9'),
      }),
      name: fc.option(entityName),
    }),
  }),
  'activity.unclassified': fc.record({ reason: fc.constant('unknown-text' as const), row: fc.constant({}) }),
};

const panel: fc.Arbitrary<EventPanel> = fc
  .record({
    id: fc.constantFrom(...pools.panelIds),
    name: panelName,
    version: fc.option(fc.constantFrom('0.9', '0.10')),
    facts: fc.option(
      fc.record({
        types: fc.uniqueArray(fc.constantFrom(...pools.panelTypes)),
        diseaseGroup: fc.constant(''),
        diseaseSubGroup: fc.constant(''),
        relevantDisorders: fc.uniqueArray(fc.constantFrom(...pools.disorders), { maxLength: 3 }),
        signedOff: fc.boolean(),
      }),
    ),
  })
  .map(({ facts, ...named }) => ({ ...named, ...facts }));

/** An event of any kind; `key` makes its id, at most one event in a thousand has no panel and no time. */
export const anyEvent: fc.Arbitrary<PanelEvent> = fc
  .constantFrom(...(Object.keys(changes) as EventKindName[]))
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      change: changes[kind] as fc.Arbitrary<Changes[EventKindName]>,
      catalogue: fc
        .constantFrom(...pools.catalogues)
        .map((name) => ({ name, url: `https://${name}.example.org/api/v1/` })),
      key: fc.uuid(),
      at: fc.nat({ max: 400 * 86_400 }).map((seconds) => from + BigInt(seconds) * 1_000_000n + 7n),
      panel: fc.option(panel, { freq: 20 }),
      entity: fc
        .record({ type: fc.constantFrom(...entityTypes), name: entityName })
        .map((entity) => (kind.startsWith('panel.') ? null : entity)),
      actor: fc.option(fc.constantFrom(...pools.actors)),
      late: fc.boolean(),
      text,
    }),
  )
  .map(({ text: said, ...made }) =>
    toEvent({
      ...made,
      at: made.panel === null && made.late ? null : made.at,
      rows: [{ created: formatInstant(made.at), text: said }],
    }),
  );
