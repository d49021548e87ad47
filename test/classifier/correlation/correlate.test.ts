import { describe, expect, test } from 'vitest';
import type { Changes } from '../../../lambdas/events/changes.ts';
import { brief, eventsOf, onPanel, row } from './rows.ts';

const banner = 'Gene: brca1 has been classified as Green List (High Evidence).';
const ratingText = 'Classified gene: BRCA1 as Green List (high evidence)';
const comment = 'Added comment: Comment on list classification: Enough families.';
const ready = 'Marked gene: BRCA1 as ready';
const added = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hereditary breast cancer. Sources: Literature';
const copied = 'Copied gene BRCA1 from panel Childhood cancer';
const toGreen = { from: null, to: 'green', direction: 'unknown' };

describe('rating an entity by hand, which writes a banner row and a rating row', () => {
  test('is one event that carries both rows', () => {
    expect(eventsOf([row(0, banner), row(7, ratingText)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, ratingText]],
    ]);
  });

  test('is one event where a comment lies between the rows, which has an event of its own', () => {
    expect(eventsOf([row(0, banner), row(3, comment), row(7, ratingText)]).map(brief)).toMatchObject([
      ['entity.classified', toGreen, [banner, ratingText]],
      ['entity.commented', {}, [comment]],
    ]);
  });

  test('is one event in any order of two rows of one microsecond', () => {
    expect(eventsOf([row(0, ratingText), row(0, banner)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, ratingText]],
    ]);
    expect(eventsOf([row(1, ratingText), row(1, banner)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, ratingText]],
    ]);
  });

  test('is one event where a comment of another time lies between the rows', () => {
    expect(
      eventsOf([row(0, banner), row(20_000, comment), row(30_000, ratingText)]).map(brief),
    ).toMatchObject([
      ['entity.classified', toGreen, [banner, ratingText]],
      ['entity.commented', {}, [comment]],
    ]);
  });

  test('is one event for each of two ratings whose rows alternate', () => {
    const rows = [row(0, banner), row(1, banner), row(2, ratingText), row(3, ratingText)];
    expect(eventsOf(rows)).toMatchObject([
      { data: { activities: [rows[0], rows[3]] } },
      { data: { activities: [rows[1], rows[2]] } },
    ]);
  });

  test('is one event where the rows name no user', () => {
    const nameless = { user_name: null };
    expect(eventsOf([row(0, banner, nameless), row(7, ratingText, nameless)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, ratingText]],
    ]);
    expect(eventsOf([row(0, banner, nameless), row(7, ratingText)])).toHaveLength(2);
  });

  test('is an event of its own where the banner belongs to a rating row that was published before', () => {
    const red = 'Gene: brca1 has been classified as Red List (Low Evidence).';
    const again = row(40_003, ratingText);
    const events = eventsOf(
      [row(7, ratingText)],
      [row(20_000, red), row(20_003, 'Classified gene: BRCA1 as Red List (low evidence)')],
      [row(0, banner), again],
    );
    expect(events.map(brief)).toMatchObject([
      ['entity.classified', { to: 'green' }, [ratingText]],
      ['entity.classified', { to: 'red' }, [{}, {}]],
      ['entity.classified', { from: 'red', to: 'green', direction: 'upgraded' }, [ratingText]],
    ]);
    expect(events[2]?.data.activities).toStrictEqual([again]);
  });

  test('is one event with both rows, although a banner without its rating row was published before', () => {
    expect(
      eventsOf([row(0, banner)], [row(30_000, banner), row(30_007, ratingText)]).map(brief),
    ).toMatchObject([
      ['entity.classified', {}, [banner]],
      ['entity.classified', {}, [banner, ratingText]],
    ]);
  });

  test('is one event where the missing rows of two actions are read together', () => {
    const green = 'Gene: brca1 has been classified as Green List (High Evidence).';
    const greenRow = 'Classified gene: BRCA1 as Green List (high evidence)';
    const red = 'Gene: brca1 has been classified as Red List (Low Evidence).';
    const events = eventsOf(
      [row(0, greenRow), row(20_000, red), row(20_003, 'Classified gene: BRCA1 as Red List (low evidence)')],
      [row(40_000, green)],
      [row(0, green), row(40_003, greenRow)],
    );
    expect(events.map(({ data }) => ('to' in data.change ? data.change.to : null))).toStrictEqual([
      'green',
      'red',
      'green',
    ]);
  });

  test('is one event where a later poll reads the rating row', () => {
    expect(eventsOf([row(0, banner)], [row(7, ratingText)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner]],
    ]);
  });

  test('is one event where a later poll reads the banner row', () => {
    expect(eventsOf([row(7, ratingText)], [row(0, banner)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [ratingText]],
    ]);
  });

  test('is one event where the two rows lie a minute apart, and two where they lie further apart', () => {
    const polls = (apart: number) => [
      [[row(0, banner), row(apart, ratingText)]],
      [[row(0, banner)], [row(apart, ratingText)]],
    ];
    for (const rows of polls(60_000)) expect(eventsOf(...rows)).toHaveLength(1);
    for (const rows of polls(60_001)) expect(eventsOf(...rows)).toHaveLength(2);
  });

  test('is one event where the time of the rating row is cut to the whole second', () => {
    const rows = [row(1_000, ratingText), row(1_350, banner)];
    for (const events of [eventsOf(rows), eventsOf(...rows.map((one) => [one]))])
      expect(events).toHaveLength(1);
    expect(eventsOf(rows).map(brief)).toStrictEqual([['entity.classified', toGreen, [banner, ratingText]]]);
    expect(eventsOf([row(1_001, ratingText), row(1_350, banner)])).toHaveLength(2);
    expect(eventsOf([row(1_000, ratingText), row(2_000, banner)])).toHaveLength(2);
  });

  test('is one event each time', () => {
    const again = [row(0, banner), row(7, ratingText), row(60_000, banner), row(60_007, ratingText)];
    expect(eventsOf(again).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, ratingText]],
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [banner, ratingText]],
    ]);
    expect(eventsOf(again.slice(0, 1), again.slice(1, 3), again.slice(3))).toHaveLength(2);
  });

  test('is one event for each of two curators who rate at the same time', () => {
    const other = { user_name: 'Somebody Else' };
    const rows = [row(0, banner), row(1, banner, other), row(2, ratingText), row(3, ratingText, other)];
    expect(eventsOf(rows)).toMatchObject([
      { data: { activities: [rows[0], rows[2]] } },
      { data: { activities: [rows[1], rows[3]] } },
    ]);
  });

  test('is one event for each panel', () => {
    const other = { panel_id: 8 };
    const rows = [row(0, banner), row(1, banner, other), row(2, ratingText), row(3, ratingText, other)];
    expect(eventsOf(rows)).toMatchObject([
      { data: { activities: [rows[0], rows[2]] } },
      { data: { activities: [rows[1], rows[3]] } },
    ]);
  });

  test('is two events where the rows state different ratings', () => {
    const amber = 'Classified gene: BRCA1 as Amber List (moderate evidence)';
    expect(eventsOf([row(0, banner), row(7, amber)]).map(brief)).toMatchObject([
      ['entity.classified', { to: 'green' }, [banner]],
      ['entity.classified', { from: 'green', to: 'amber', direction: 'downgraded' }, [amber]],
    ]);
  });

  test('is an event of its own for each row where the entity was rated again between them', () => {
    const edit =
      'Source NHS GMS was added to BRCA1.\nRating Changed from Green List (high evidence) to Red List (low evidence)';
    const rows = [row(0, banner), row(20_000, edit), row(40_000, ratingText)];
    for (const events of [eventsOf(rows), eventsOf(...rows.map((one) => [one]))]) {
      expect(
        events.filter(({ type }) => type.includes('classified')).map(({ data }) => data.change),
      ).toMatchObject([
        { to: 'green' },
        { from: 'green', to: 'red', direction: 'downgraded' },
        { from: 'red', to: 'green', direction: 'upgraded' },
      ]);
    }
  });
});

describe('a paired row that is read after the entity was rated again', () => {
  const amber = [
    row(20_000, 'Gene: brca1 has been classified as Amber List (Moderate Evidence).'),
    row(20_007, 'Classified gene: BRCA1 as Amber List (moderate evidence)'),
  ];

  test.each([
    ['a rating row', [row(0, banner)], row(7, ratingText)],
    ['a banner', [row(7, ratingText)], row(0, banner)],
    ['the origin of a copy', [row(0, added)], row(7, copied, onPanel)],
  ])('adds no event: %s', (_name, first, paired) => {
    for (const between of [
      amber,
      [row(20_000, 'Source: NHS GMS was removed from gene: BRCA1')],
      [row(20_000, 'removed gene:BRCA1 from the panel', onPanel)],
      [row(20_000, banner), row(20_007, ratingText)],
      [row(30_000, banner), row(30_007, ratingText), ...amber],
    ]) {
      expect(eventsOf(first, between, [paired])).toStrictEqual(eventsOf(first, between));
    }
  });

  test('makes the rating unchanged where it is the banner of a mark as ready', () => {
    expect(eventsOf([row(7, ready)], amber, [row(0, banner)]).at(-1)?.data.change).toStrictEqual({
      from: 'green',
      to: 'green',
      direction: 'unchanged',
    });
  });

  test('does not pair where it was written after that', () => {
    const rated = [row(0, banner), ...amber, row(40_000, ratingText)];
    for (const events of [eventsOf(rated), eventsOf(rated.slice(0, 1), rated.slice(1, 3), rated.slice(3))]) {
      expect(events.map(({ data }) => data.change)).toMatchObject([
        { to: 'green' },
        { to: 'amber' },
        { from: 'amber', to: 'green', direction: 'upgraded' },
      ]);
    }
  });

  test('does not pair where the entity was rated twice since, whichever rating was read first', () => {
    const again = row(50_000, 'Classified gene: BRCA1 as Amber List (moderate evidence)');
    for (const between of [
      [amber, [again]],
      [[again], amber],
    ]) {
      const events = eventsOf([row(0, banner)], ...between, [row(30_000, ratingText)]);
      expect(events.map(brief).at(-1)).toMatchObject(['entity.classified', { to: 'green' }, [ratingText]]);
    }
  });

  test('pairs where the other rating was written seconds before, as two actions may overlap', () => {
    const other = { user_name: 'Somebody Else' };
    const polls = [
      row(0, banner),
      row(1000, banner, other),
      row(2000, ratingText),
      row(2001, ratingText, other),
    ];
    expect(eventsOf(...polls.map((one) => [one]))).toHaveLength(2);
  });

  test('pairs with one row only', () => {
    expect(
      eventsOf([row(0, banner)], [row(7, ratingText)], [row(9000, ratingText)]).map(brief),
    ).toStrictEqual([
      ['entity.classified', toGreen, [banner]],
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [ratingText]],
    ]);
  });

  test('does not pair either where the other rating was read late', () => {
    expect(eventsOf([row(0, banner)], [row(30_000, comment)], amber, [row(40_000, ratingText)])).toHaveLength(
      4,
    );
  });
});

describe('marking as ready', () => {
  test('states the rating that was published last, where a row may have changed it since', () => {
    const none = row(0, 'Gene: brca1 has been removed from the panel.');
    const cleared = row(60_000, 'All sources for gene: BRCA1 were removed', { panel_version: '3.3' });
    const marked = [banner, ready].map((text, index) => row(120_000 + index, text, { panel_version: '3.3' }));
    const events = eventsOf([none], [cleared], marked);
    const { from, to, direction } = (events.at(-2)?.data.change ?? {}) as Record<string, unknown>;
    expect([events.at(-2)?.type, from, to, direction]).toEqual([
      'gene-panel.entity.classified.v1',
      'none',
      'green',
      'upgraded',
    ]);
  });

  test('is an event of its own beside a rating that is unchanged', () => {
    expect(eventsOf([row(0, banner), row(7, ready)]).map(brief)).toStrictEqual([
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [banner]],
      ['entity.marked-ready', {}, [ready]],
    ]);
  });

  test('of an entity on no list removes nothing', () => {
    const removed = 'Gene: brca1 has been removed from the panel.';
    expect(eventsOf([row(0, removed), row(7, ready)]).map(brief)).toStrictEqual([
      ['entity.classified', { from: 'none', to: 'none', direction: 'unchanged' }, [removed]],
      ['entity.marked-ready', {}, [ready]],
    ]);
  });

  test('is one event of each kind, whichever poll reads which row', () => {
    expect(eventsOf([row(7, ready)], [row(0, banner)]).map(brief)).toStrictEqual([
      ['entity.marked-ready', {}, [ready]],
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [banner]],
    ]);
    expect(eventsOf([row(0, banner)], [row(7, ready)])).toHaveLength(2);
  });
});

const green = 'Classified gene: BRCA1 as Green List (high evidence)';
const clearedGreen = 'Source: Expert Review Green was removed from gene: BRCA1';

describe('the rating before', () => {
  const amber = row(0, 'Classified gene: BRCA1 as Amber List (moderate evidence)');

  test.each([
    ['red', 'Classified gene: BRCA1 as Red List (low evidence)', 'downgraded'],
    ['amber', 'Classified gene: BRCA1 as Amber List (moderate evidence)', 'unchanged'],
    ['green', ratingText, 'upgraded'],
    ['none', 'Classified gene: BRCA1 as No list', 'downgraded'],
  ])('is what earlier rows stated: from amber to %s', (to, text, direction) => {
    expect(eventsOf([amber], [row(60_000, text)])[1]?.data.change).toStrictEqual({
      from: 'amber',
      to,
      direction,
    });
  });

  test('is unknown once sources were cleared, which may change it silently', () => {
    for (const text of [
      'Source: NHS GMS was removed from gene: BRCA1',
      'All sources for gene: BRCA1 were removed',
    ]) {
      expect(eventsOf([amber, row(50, text), row(60_000, ratingText)]).at(-1)?.data.change).toStrictEqual(
        toGreen,
      );
    }
  });

  test.each<[string, string, string, Partial<Changes['entity.annotated']>]>([
    ['all sources', green, 'All sources for gene: BRCA1 were removed', { rating: 'green' }],
    ['the source of the rating', green, clearedGreen, { rating: 'green' }],
    [
      'the source of the rating in a form',
      green,
      'Source Expert Review Green was removed from BRCA1.',
      { rating: 'green' },
    ],
    ['an expert review of an unknown rating', '', clearedGreen, { rating: null }],
    ['all sources of an unknown rating', '', 'All sources for gene: BRCA1 were removed', { rating: null }],
  ])('is stated with what took it away: %s', (_title, before, text, expected) => {
    const rows = [...(before === '' ? [] : [row(0, before)]), row(50, text)];
    expect(eventsOf(rows).at(-1)?.data.change).toMatchObject(expected);
  });

  test.each([
    ['another source', 'Source: NHS GMS was removed from gene: BRCA1'],
    ['an expert review that did not rate it', 'Source: Expert Review Red was removed from gene: BRCA1'],
    [
      'a row that swaps the source',
      'Source Expert Review Green was removed from BRCA1.\nSource Expert Review Amber was added to BRCA1.\nRating Changed from Green List (high evidence) to Amber List (moderate evidence)',
    ],
  ])('is not stated where none was taken away: %s', (_title, text) => {
    const events = eventsOf([row(0, green), row(50, text)]).slice(1);
    const annotated = events.find(({ type }) => type.includes('annotated'));
    expect(annotated).toBeDefined();
    expect(annotated?.data.change).not.toHaveProperty('rating');
  });

  test('is stated with a change of the mode of inheritance: what that means depends on it', () => {
    const text =
      'Mode of inheritance for gene: BRCA1 was changed from BIALLELIC, autosomal or pseudoautosomal to BOTH monoallelic and biallelic, autosomal or pseudoautosomal';
    expect(eventsOf([amber], [row(50, text)]).at(-1)?.data.change).toMatchObject({ rating: 'amber' });
    expect(eventsOf([row(50, text)]).at(-1)?.data.change).toMatchObject({ rating: null });
  });

  test('is known still where the command removed other expert reviews', () => {
    const command = row(50, 'Removed sources: Expert Review Red', { user_name: null });
    const change = eventsOf([amber, command, row(60_000, ratingText)]).at(-1)?.data.change;
    expect(change).toStrictEqual({ from: 'amber', to: 'green', direction: 'upgraded' });
  });

  describe('of an entity that a curator moved to no list', () => {
    const unrated = row(0, 'Gene: brca1 has been removed from the panel.');
    const reviewed = row(60_000, 'Source Expert Review Green was added to BRCA1.');
    const later = row(90_000, 'Classified gene: BRCA1 as Amber List (moderate evidence)');

    test('stays where an expert review is added without a rating line: the entity is flagged', () => {
      for (const polls of [[[unrated, reviewed, later]], [[unrated], [reviewed], [later]]]) {
        const rated = eventsOf(...polls).filter(({ type }) => type.includes('classified'));
        expect(rated.map(({ data }) => data.change)).toStrictEqual([
          { from: null, to: 'none', direction: 'unknown' },
          { from: 'none', to: 'amber', direction: 'upgraded' },
        ]);
      }
    });

    test('changes where the row says so', () => {
      const text = `${reviewed.text}\nRating Changed from No List (delete) to Green List (high evidence)`;
      expect(eventsOf([unrated, { ...reviewed, text }]).map(({ data }) => data.change)).toContainEqual({
        from: 'none',
        to: 'green',
        direction: 'upgraded',
      });
    });

    test('is confirmed by the review of no list', () => {
      const text = 'Source Expert Review Removed was added to BRCA1.';
      expect(eventsOf([unrated, { ...reviewed, text }]).map(({ data }) => data.change)).toContainEqual({
        from: 'none',
        to: 'none',
        direction: 'unchanged',
      });
    });
  });

  test('is not that of a later row, where a row is read late', () => {
    expect(eventsOf([row(60_000, ratingText)], [amber]).at(-1)?.data.change).toMatchObject({
      from: null,
      to: 'amber',
    });
    expect(
      eventsOf([row(60_000, ratingText)], [amber], [row(90_000, ratingText)]).at(-1)?.data.change,
    ).toMatchObject({
      from: 'green',
    });
  });

  test('belongs to the entity on its panel alone', () => {
    expect(eventsOf([amber], [row(60_000, ratingText, { panel_id: 8 })])[1]?.data.change).toStrictEqual(
      toGreen,
    );
  });

  test('is stated when the entity is removed, and unknown from then on', () => {
    const removed = row(60_000, 'removed gene:BRCA1 from the panel', onPanel);
    expect(
      eventsOf([amber], [removed], [row(90_000, ratingText)]).map(({ data }) => data.change),
    ).toStrictEqual([{ from: null, to: 'amber', direction: 'unknown' }, { rating: 'amber' }, toGreen]);
  });

  test('is kept for the new symbol of a gene that was replaced, and forgotten for the old one', () => {
    const renamed = row(60_000, 'BRCA1 was changed to BRCAX', { entity_name: 'BRCAX' });
    expect(eventsOf([amber], [renamed], [row(90_000, ratingText)]).at(-1)?.data.change).toStrictEqual(
      toGreen,
    );
    const rated = row(90_000, 'Classified gene: BRCAX as Green List (high evidence)', {
      entity_name: 'BRCAX',
    });
    expect(eventsOf([amber], [renamed], [rated])[2]?.data.change).toMatchObject({
      from: 'amber',
      direction: 'upgraded',
    });
  });
});

describe('an added entity', () => {
  const added = (sources: string, more = ''): string =>
    `gene: BRCA1 was added\ngene: BRCA1 was added to Hereditary breast cancer. Sources: ${sources}${more}\nMode of inheritance for gene: BRCA1 was set to Unknown`;

  test('is also classified as new where its sources carry the rating, and tagged where it got tags', () => {
    const text = added('NHS GMS,Expert Review Green', '\nskewed, mosaicism tags were added to gene: BRCA1.');
    expect(eventsOf([row(0, text)]).map(brief)).toStrictEqual([
      ['entity.classified', { from: null, to: 'green', direction: 'new' }, [text]],
      ['entity.tags-changed', { added: ['skewed', 'mosaicism'], removed: [] }, [text]],
      [
        'entity.added',
        {
          rating: 'green',
          sources: ['NHS GMS', 'Expert Review Green'],
          tags: ['skewed', 'mosaicism'],
          copiedFrom: null,
          modeOfInheritance: 'Unknown',
        },
        [text],
      ],
    ]);
  });

  test('has no rating where its sources state none', () => {
    expect(eventsOf([row(0, added('NHS GMS'))]).map(brief)).toMatchObject([
      ['entity.added', { rating: null }, [{}]],
    ]);
  });

  test.each([
    ['in one poll', (one: ReturnType<typeof row>, other: ReturnType<typeof row>) => [[one, other]]],
    ['in two polls', (one: ReturnType<typeof row>, other: ReturnType<typeof row>) => [[one], [other]]],
    [
      'in two polls, the copy first',
      (one: ReturnType<typeof row>, other: ReturnType<typeof row>) => [[other], [one]],
    ],
  ])('by copying is one addition, %s', (_how, polls) => {
    const rows = polls(
      row(0, added('Expert Review Green')),
      row(9, 'Copied gene BRCA1 from panel Childhood cancer', onPanel),
    );
    const events = eventsOf(...rows);
    expect(events.filter(({ type }) => type === 'gene-panel.entity.added.v1')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'gene-panel.entity.classified.v1')).toHaveLength(1);
  });

  test('by copying is not the addition of two days before', () => {
    const later = 2 * 24 * 3_600_000;
    for (const polls of [
      [[row(0, added('')), row(later, copied, onPanel)]],
      [[row(0, added(''))], [row(later, copied, onPanel)]],
    ]) {
      expect(eventsOf(...polls).map(({ data }) => data.change)).toMatchObject([
        { copiedFrom: null },
        { copiedFrom: 'Childhood cancer' },
      ]);
    }
  });

  test.each([
    ['of the panel', row(9, 'Copied gene BRCA1 from panel Childhood cancer', onPanel)],
    ['of the entity', row(9, 'Entity copied from Childhood cancer v1.3')],
  ])('by copying states the panel that it was copied from: in a row %s', (_whose, origin) => {
    const events = eventsOf([row(0, added('')), origin]);
    expect(events).toMatchObject([
      {
        data: {
          change: { copiedFrom: 'Childhood cancer' },
          summary:
            'BRCA1 was copied from Childhood cancer to Hereditary breast cancer (R208) in version 3.2.',
          activities: [{}, {}],
        },
      },
    ]);
  });
});

test('replacing a gene is one renaming, with an event of each other change', () => {
  const edit = 'Source NHS GMS was added to BRCA1.';
  const events = eventsOf([
    row(0, edit),
    row(5, 'BRCA1 was changed to MT-ND1', { entity_name: 'MT-ND1' }),
    row(9, 'Mode of inheritance for gene BRCA1 was set to MITOCHONDRIAL', { entity_name: 'MT-ND1' }),
  ]);
  expect(events.map(({ type }) => type)).toStrictEqual([
    'gene-panel.entity.annotated.v1',
    'gene-panel.entity.renamed.v1',
    'gene-panel.entity.annotated.v1',
  ]);
  expect(events[1]?.data).toMatchObject({
    change: { from: 'BRCA1', to: 'MT-ND1' },
    entity: { name: 'MT-ND1' },
    activities: [{}, {}, {}],
  });
});

test('an event has the envelope of the contract', () => {
  const [event] = eventsOf([row(0, ratingText)]);
  expect(event).toStrictEqual({
    specversion: '1.0',
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    source: 'https://catalogue.example/api/v1/',
    type: 'gene-panel.entity.classified.v1',
    subject: 'panels/7/gene/BRCA1',
    time: '2026-01-31T12:00:00.000000Z',
    datacontenttype: 'application/json',
    dataschema: 'urn:gene-panel-notifier:schema:gene-panel.entity.classified.v1',
    data: {
      catalogue: 'uk',
      panel: {
        id: 7,
        name: 'Hereditary breast cancer',
        version: '3.2',
        types: ['gms-rare-disease', 'gms-signed-off'],
        diseaseGroup: 'Tumour syndromes',
        diseaseSubGroup: '',
        relevantDisorders: ['Inherited breast cancer', 'R208'],
        signedOff: true,
        factsReadAt: '2026-01-31T11:00:00.000000Z',
      },
      entity: { type: 'gene', name: 'BRCA1' },
      actor: 'Eleanor Vance',
      summary:
        'BRCA1 was rated green on Hereditary breast cancer (R208) in version 3.2; previous rating unknown.',
      late: false,
      activities: [row(0, ratingText)],
      change: toGreen,
    },
  });
});

test('a row that renames an entity and changes more of it publishes the renaming first', () => {
  const text =
    'Del1 was changed to Del2\nRating Changed from Green List (high evidence) to Red List (low evidence)';
  const events = eventsOf([row(0, text, { entity_name: 'Del2', entity_type: 'region' })]);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['renamed', 'classified']);
});

test('an addition with tags that cannot be separated states no tags, and publishes no change of tags', () => {
  const text = [
    'gene: BRCA1 was added',
    'gene: BRCA1 was added to Hereditary breast cancer. Sources: Expert List',
    'treatable, Ünï tag tags were added to gene: BRCA1.',
    'Mode of inheritance for gene: BRCA1 was set to Unknown',
  ].join('\n');
  expect(eventsOf([row(0, text)]).map(brief)).toStrictEqual([
    [
      'entity.added',
      { rating: null, sources: ['Expert List'], copiedFrom: null, modeOfInheritance: 'Unknown' },
      [text],
    ],
  ]);
});

test('unrecognised text is published as unclassified, with the whole row', () => {
  expect(eventsOf([row(0, 'BRCA1 was blessed')]).map(brief)).toMatchObject([
    [
      'activity.unclassified',
      { reason: 'unknown-text', row: { text: 'BRCA1 was blessed' } },
      ['BRCA1 was blessed'],
    ],
  ]);
});

test('a row that cannot be read is published as unclassified, with what was received', () => {
  const received = { created: 'soon' } as never;
  expect(eventsOf([received]).map(brief)).toMatchObject([
    ['activity.unclassified', { reason: 'invalid-row', row: received }, [undefined]],
  ]);
});

test('an unknown line after free text is published as unclassified, beside the events of the known lines', () => {
  const unknown = 'Rating was raised from Red List (low evidence) to Green List (high evidence)';
  const text = `Phenotypes for gene: BRCA1 were changed from Epilepsy to Ataxia\n${unknown}`;
  expect(eventsOf([row(0, text)]).map(brief)).toMatchObject([
    ['entity.annotated', { changes: [{ field: 'phenotypes', from: ['Epilepsy'], to: ['Ataxia'] }] }, [text]],
    [
      'activity.unclassified',
      { reason: 'unknown-line', detail: `Not understood: ${JSON.stringify(unknown)}`, row: { text } },
      [text],
    ],
  ]);
});

describe('an edit that adds an expert review, without a line on the rating', () => {
  const edit = 'Source Expert Review Green was added to BRCA1.';

  test('leaves the rating unchanged, because the software writes a line for every change', () => {
    expect(eventsOf([row(0, edit)])[0]?.data.change).toStrictEqual({
      from: 'green',
      to: 'green',
      direction: 'unchanged',
    });
  });

  test('changes the rating where earlier rows stated another one', () => {
    const amber = row(0, 'Classified gene: BRCA1 as Amber List (moderate evidence)');
    expect(eventsOf([amber], [row(60_000, edit)])[1]?.data.change).toStrictEqual({
      from: 'amber',
      to: 'green',
      direction: 'upgraded',
    });
  });
});
