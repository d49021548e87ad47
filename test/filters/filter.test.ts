import { describe, expect, test } from 'vitest';
import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter, type Filter } from '../../lambdas/filters/filter.ts';
import { filterSchema } from '../../lambdas/filters/filter-schema.ts';

function event<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  given: Partial<Pick<PanelEvent['data'], 'entity' | 'actor' | 'late'>> = {},
): PanelEvent {
  return toEvent({
    kind,
    change,
    catalogue: { name: 'uk', url: 'https://uk.example.org/api/v1/' },
    key: 'key',
    at: 0n,
    panel: {
      id: 3,
      name: 'Hearing loss',
      version: '1.2',
      types: ['gms-signed-off'],
      diseaseGroup: '',
      diseaseSubGroup: '',
      relevantDisorders: ['R59.3 Early onset epilepsy', 'Ataxia (R54)'],
      signedOff: true,
    },
    entity: kind.startsWith('entity.') ? { type: 'gene', name: 'C9orf72' } : null,
    actor: 'Catherine Snowe',
    late: false,
    rows: [],
    ...given,
  });
}

const green = event('entity.classified', { from: null, to: 'green', direction: 'unknown' });
const tagged = event('entity.tags-changed', { added: ['Treatable'], removed: ['new'] });
const added = event('entity.added', { rating: 'green', sources: [], tags: ['treatable'], copiedFrom: null });
const replaced = event('entity.renamed', { from: 'MLL2', to: 'KMT2D' });
const renamed = event('panel.changed', {
  changes: [{ field: 'name', from: 'Deafness', to: 'Hearing loss' }],
});
const late = event('panel.created', { name: 'New' }, { late: true, actor: null });

describe('a filter matches', () => {
  test.each<[string, Filter, PanelEvent]>([
    ['every event without keys', {}, green],
    ['a catalogue', { catalogues: ['uk'] }, green],
    ['one of several values', { catalogues: ['australia', 'uk'] }, green],
    ['a panel by its id', { panels: [3] }, green],
    ['a panel by its id as text', { panels: ['3'] }, green],
    ['a panel by its name in any letter case', { panels: ['hearing  LOSS '] }, green],
    ['a renamed panel by its earlier name', { panels: ['Deafness'] }, renamed],
    ['a panel type', { panelTypes: ['gms-signed-off'] }, green],
    ['a test-directory code by its sub-code', { rCodes: ['R59.3'] }, green],
    ['a test-directory code above a sub-code', { rCodes: ['r59'] }, green],
    ['a test-directory code after a name', { rCodes: ['R54'] }, green],
    ['a gene in any letter case', { genes: ['C9ORF72'] }, green],
    ['a replaced symbol by the name before', { genes: ['MLL2'] }, replaced],
    ['a replaced symbol by the name after', { genes: ['KMT2D'] }, replaced],
    ['an entity type', { entityTypes: ['gene'] }, green],
    ['a topic', { topics: ['classifications'] }, green],
    ['a type in short', { types: ['entity.classified'] }, green],
    ['a type in full', { types: ['gene-panel.entity.classified.v1'] }, green],
    ['a rating after', { to: ['green'] }, green],
    ['an unknown rating before', { from: ['unknown'] }, green],
    ['a direction', { direction: ['unknown', 'upgraded'] }, green],
    ['a tag that was added, in any letter case', { tags: ['treatable'] }, tagged],
    ['a tag that was removed', { tags: ['new'] }, tagged],
    ['a tag of an added entity', { tags: ['treatable'] }, added],
    ['an actor in any letter case', { actors: ['catherine snowe'] }, green],
    ['late events', { late: true }, late],
    ['events that are not late', { late: false }, green],
    ['all keys at once', { panels: [3], genes: ['c9orf72'], to: ['green'], late: false }, green],
  ])('%s', (_what, filter, found) => {
    expect(compileFilter(filterSchema.parse(filter))(found)).toBe(true);
  });
});

describe('a filter does not match', () => {
  test.each<[string, Filter, PanelEvent]>([
    ['another catalogue', { catalogues: ['australia'] }, green],
    ['another panel', { panels: [33, 'Hearing'] }, green],
    ['a code that only begins alike', { rCodes: ['R5'] }, green],
    ['a sub-code of another', { rCodes: ['R54.1'] }, green],
    ['a part of a symbol', { genes: ['C9orf7'] }, green],
    ['a panel event where genes are named', { genes: ['C9orf72'] }, renamed],
    ['a rating of an added entity, whose classification is an event of its own', { to: ['green'] }, added],
    ['a tag on an event of another kind', { tags: ['treatable'] }, green],
    ['an actor where none is given', { actors: ['Catherine Snowe'] }, late],
    ['late events where none are wanted', { late: false }, late],
    ['where one of two keys fails', { panels: [3], to: ['red'] }, green],
    ['where topic and type contradict', { topics: ['tags'], types: ['entity.classified'] }, green],
  ])('%s', (_what, filter, found) => {
    expect(compileFilter(filterSchema.parse(filter))(found)).toBe(false);
  });
});

describe('the schema refuses', () => {
  test.each([
    ['an unknown key', { gene: ['BRCA1'] }],
    ['an empty list, which could match nothing', { genes: [] }],
    ['an unknown rating', { to: ['blue'] }],
    ['a code that is none', { rCodes: ['59'] }],
    ['an unknown type', { types: ['entity.exploded'] }],
    ['a blank name', { genes: [' '] }],
  ])('%s', (_what, filter) => {
    expect(filterSchema.safeParse(filter).success).toBe(false);
  });
});

test('a filter with thousands of genes finds the one', () => {
  const genes = Array.from({ length: 20_000 }, (_, at) => `GENE${at}`);
  expect(compileFilter({ genes })(green)).toBe(false);
  expect(compileFilter({ genes: [...genes, 'C9orf72'] })(green)).toBe(true);
});
