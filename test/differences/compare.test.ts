import { describe, expect, test } from 'vitest';
import { comparePanel } from '../../lambdas/differences/compare.ts';
import { unknownPanel } from '../../lambdas/differences/followed-panel.ts';
import type { EntityFacts, PanelFacts, Shown, ShownPanel } from '../../lambdas/differences/shown.ts';
import { inOrder } from '../../lambdas/events/order.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { eventOf, rated, region } from './made-events.ts';

interface Given {
  readonly panel?: Partial<Shown<PanelFacts>>;
  /** Null where the region is not on the panel. */
  readonly region?: Partial<Shown<EntityFacts>> | null;
}

const shown = ({ panel = {}, region: facts = {} }: Given): ShownPanel => ({
  facts: { visible: true, version: '1.3', ...panel },
  entities: facts ? [{ ...region, facts: { rating: 'amber', tags: [], ...facts } }] : [],
  whole: ['region'],
});

/** Kind and change of each difference. */
function found(before: Given | null, after: Given, events: readonly PanelEvent[] = []) {
  const compared = comparePanel({
    before: before ? shown(before) : unknownPanel,
    events,
    after: shown(after),
    via: 'listing',
  });
  return compared.differences.map(({ kind, change }) => [kind, change]);
}

describe('a difference starts where the events lead', () => {
  test('a region that a listing only changed is added where the state before does not hold it', () => {
    const change = { added: [], removed: ['treatable'], via: 'listing' as const };
    const events = [eventOf('entity.tags-changed', change, { entity: region })];
    expect(found({ region: null }, {}, events).map(([kind]) => kind)).toEqual([
      'entity.added',
      'entity.classified',
    ]);
  });

  test('a region that a row only reviews is added where the state before does not hold it', () => {
    const events = [eventOf('entity.reviewed', { edited: false }, { entity: region })];
    expect(found({ region: null }, {}, events).map(([kind]) => kind)).toEqual([
      'entity.added',
      'entity.classified',
    ]);
  });

  test('a region rated green by a row and then silently red was green just before', () => {
    expect(found({}, { region: { rating: 'red' } }, [rated('green')])).toEqual([
      ['entity.classified', { from: 'green', to: 'red', direction: 'downgraded', via: 'listing' }],
    ]);
  });

  test('a region rated green by a row, and silently amber again, is published although the listings are equal', () => {
    expect(found({}, {}, [rated('green')])).toMatchObject([
      ['entity.classified', { from: 'green', to: 'amber' }],
    ]);
  });

  const renamed = { ...region, name: 'ISCA-3-Gain' };
  test.each([
    ['a row that renames a region rates it under its new name', renamed, undefined],
    ['one of two states of a version rates a region, and the next one renames it', region, 'snapshot'],
  ] as const)('%s', (_what, entity, via) => {
    const renaming = { from: region.name, to: renamed.name, ...(via && { via }) };
    const after = shown({ region: { rating: 'green' } });
    const { differences } = comparePanel({
      before: shown({}),
      events: inOrder([
        rated('green', { entity, ...(via && { via }) }),
        eventOf('entity.renamed', renaming, { entity: renamed }),
      ]),
      after: { ...after, entities: after.entities.map((one) => ({ ...one, name: renamed.name })) },
      via: 'listing',
    });
    expect(differences).toEqual([]);
  });

  test('a minor version that follows a promotion with a row', () => {
    const promoted = eventOf(
      'panel.promoted',
      { version: '2.0', previousVersion: '1.3', via: 'activity' },
      { version: '2.0' },
    );
    expect(found({}, { panel: { version: '2.1' } }, [promoted])).toEqual([
      ['panel.changed', { changes: [{ field: 'version', from: '2.0', to: '2.1' }], via: 'listing' }],
    ]);
  });

  test('each major version is a promotion, and the minor ones after it are a change of the version', () => {
    expect(found({}, { panel: { version: '3.2' } })).toEqual([
      ['panel.promoted', { version: '2.0', previousVersion: '1.3', via: 'listing' }],
      ['panel.promoted', { version: '3.0', previousVersion: '2.0', via: 'listing' }],
      ['panel.changed', { changes: [{ field: 'version', from: '3.0', to: '3.2' }], via: 'listing' }],
    ]);
  });

  test('a gene that is deleted silently after three that rows delete', () => {
    const gene = { type: 'gene', name: 'BRCA1' } as const;
    const removed = eventOf('entity.removed', { rating: null }, { entity: gene });
    const numberOfGenes = { shown: 20, expected: 20 };
    const counting = (number: number) => ({ panel: { numberOfGenes: { shown: number, expected: number } } });
    const events = [removed, removed, removed];
    expect(found({ panel: { numberOfGenes } }, counting(17), events)).toEqual([]);
    // The catalogue may count later than it writes rows.
    expect(found({ panel: { numberOfGenes } }, counting(20), events)).toEqual([]);
    expect(found({ panel: { numberOfGenes } }, counting(16), events)).toMatchObject([
      ['panel.changed', { changes: [{ field: 'numberOfGenes', from: '17', to: '16' }] }],
    ]);
    expect(found({ panel: { numberOfGenes: { shown: 20, expected: 17 } } }, counting(17))).toEqual([]);
  });
});

test('the rating of an entity that a row added without one is published where it is shown first', () => {
  const change = { rating: null, copiedFrom: null, sources: [], tags: [] };
  const events = [eventOf('entity.added', { ...change, sources: [], tags: [] })];
  expect(found({ region: null }, { region: { rating: 'green', tags: ['watchlist'] } }, events)).toEqual([
    ['entity.classified', { from: null, to: 'green', direction: 'new', via: 'listing' }],
    ['entity.tags-changed', { added: ['watchlist'], removed: [], via: 'listing' }],
  ]);
});

describe('what was unknown is no difference', () => {
  const created = eventOf('panel.created', { name: 'Panel 3', types: ['Cancer'] }, { version: '0.1' });

  test('of a panel whose rows were never read', () => {
    expect(found(null, { panel: { name: 'Panel 3', types: ['Cancer'] } })).toEqual([]);
  });

  test('the baseline of a new panel is what its rows said', () => {
    const change = { rating: 'amber', sources: [], tags: [], copiedFrom: null } as const;
    const added = eventOf('entity.added', { ...change, sources: [], tags: [] }, { version: '0.1' });
    const after = { panel: { version: '1.0', types: [], description: 'New' }, region: { rating: 'green' } };
    expect(found(null, after as Given, [created, added])).toEqual([
      ['panel.promoted', { version: '1.0', previousVersion: '0.1', via: 'listing' }],
      ['panel.changed', { changes: [{ field: 'types', from: ['Cancer'], to: [] }], via: 'listing' }],
      ['entity.classified', { from: 'amber', to: 'green', direction: 'upgraded', via: 'listing' }],
    ]);
  });

  test('a field that the earlier state lacks', () => {
    expect(found({}, { region: { sources: ['ClinGen'], gene: 'GENE1' } })).toEqual([]);
    expect(
      found({ region: { sources: [], gene: null } }, { region: { sources: ['ClinGen'], gene: 'GENE1' } }),
    ).toEqual([
      ['entity.annotated', { changes: [{ field: 'gene', from: null, to: 'GENE1' }], via: 'listing' }],
      ['entity.annotated', { changes: [{ field: 'sources', added: ['ClinGen'] }], via: 'listing' }],
    ]);
  });

  test('tags that a row added and that cannot be separated', () => {
    const change = { rating: 'amber', sources: [], copiedFrom: null } as const;
    const events = [eventOf('entity.added', { ...change, sources: [] })];
    expect(found({ region: null }, { region: { tags: ['watchlist, new'] } }, events)).toEqual([]);
  });

  test('a list that a new panel starts with and that cannot be separated', () => {
    const changed = eventOf('panel.changed', { changes: [{ field: 'relatedPanels' }] }, { version: '0.1' });
    const after = {
      panel: { version: '0.1', types: ['Cancer'], relevantDisorders: ['R1', 'b'] },
      region: null,
    };
    expect(found(null, after, [created, changed])).toEqual([]);
  });

  test('a fact that a row changes in a way that cannot be read', () => {
    const change = { changes: [{ field: 'relatedPanels' as const }] };
    const events = [eventOf('panel.changed', change)];
    expect(
      found({ panel: { relevantDisorders: ['R1'] } }, { panel: { relevantDisorders: ['R2'] } }, events),
    ).toEqual([]);
  });
});

describe('entities are paired by id, then by name', () => {
  const gene = (name: string, hgncId: string, facts: Partial<Shown<EntityFacts>> = {}) => ({
    type: 'gene' as const,
    name,
    hgncId,
    facts,
  });
  const compared = (before: readonly ReturnType<typeof gene>[], after: readonly ReturnType<typeof gene>[]) =>
    comparePanel({
      before: { facts: {}, entities: before, whole: ['gene'] },
      events: [],
      after: { facts: {}, entities: after, whole: ['gene'] },
      via: 'snapshot',
    }).differences;

  test('a symbol that changes under one id is a new name', () => {
    expect(compared([gene('C10orf2', 'HGNC:1')], [gene('TWNK', 'HGNC:1')])).toEqual([
      {
        kind: 'entity.renamed',
        change: { from: 'C10orf2', to: 'TWNK', via: 'snapshot' },
        entity: { type: 'gene', name: 'TWNK', hgncId: 'HGNC:1' },
      },
    ]);
  });

  test('another id under one symbol corrects the gene, which is neither removed nor added', () => {
    const differences = compared(
      [gene('MARS', 'HGNC:1', { rating: 'green' })],
      [gene('MARS', 'HGNC:2', { rating: 'green' })],
    );
    expect(differences.map(({ kind, change }) => [kind, change])).toEqual([
      [
        'entity.annotated',
        { changes: [{ field: 'hgncId', from: 'HGNC:1', to: 'HGNC:2' }], via: expect.any(String) },
      ],
    ]);
  });

  test('a gene whose id another symbol has now is no correction of it', () => {
    const differences = compared([gene('MARS', 'HGNC:1')], [gene('MARS1', 'HGNC:1'), gene('MARS', 'HGNC:2')]);
    expect(differences.map(({ kind }) => kind)).toEqual(['entity.renamed', 'entity.added']);
  });

  test('a gene that gets the symbol of one that was removed takes its place', () => {
    const [removed, other] = [gene('NPHP1', 'HGNC:1'), gene('SLC6A8', 'HGNC:2', { rating: 'amber' })];
    const renamed = { from: 'SLC6A8', to: 'NPHP1' };
    const { differences } = comparePanel({
      before: { facts: {}, entities: [removed, other], whole: ['gene'] },
      events: [
        eventOf('entity.removed', { rating: 'red' }, { entity: { type: 'gene', name: 'NPHP1' } }),
        eventOf('entity.renamed', renamed, { entity: { type: 'gene', name: 'NPHP1' } }),
      ],
      after: { facts: {}, entities: [{ ...other, name: 'NPHP1', hgncId: 'HGNC:1' }], whole: ['gene'] },
      via: 'snapshot',
    });
    expect(differences).toEqual([]);
  });

  test('two genes with one symbol are compared each with itself', () => {
    const both = [gene('MARS', 'HGNC:1', { rating: 'green' }), gene('MARS', 'HGNC:2', { rating: 'red' })];
    expect(compared(both, both.toReversed())).toEqual([]);
  });
});
