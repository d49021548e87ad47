import { describe, expect, test } from 'vitest';
import { brief, onPanel, row, tell } from './rows.ts';

const banner = 'Gene: brca1 has been classified as Green List (High Evidence).';
const click = 'Classified gene: BRCA1 as Green List (high evidence)';
const comment = 'Added comment: Comment on list classification: Enough families.';
const ready = 'Marked gene: BRCA1 as ready';
const added = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hereditary breast cancer. Sources: Literature';
const copied = 'Copied gene BRCA1 from panel Childhood cancer';
const toGreen = { from: null, to: 'green', direction: 'unknown' };

describe('a rating click is one event', () => {
  test('that carries the banner and the click', () => {
    expect(tell([row(0, banner), row(7, click)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, click]],
    ]);
  });

  test('with a comment between them, which is an event of its own', () => {
    expect(tell([row(0, banner), row(3, comment), row(7, click)]).map(brief)).toMatchObject([
      ['entity.classified', toGreen, [banner, click]],
      ['entity.commented', {}, [comment]],
    ]);
  });

  test('in whatever order rows of one microsecond come', () => {
    expect(tell([row(0, click), row(0, banner)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, click]],
    ]);
  });

  test('also when the click is met in a later poll', () => {
    expect(tell([row(0, banner)], [row(7, click)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner]],
    ]);
  });

  test('also when the banner surfaces after the click', () => {
    expect(tell([row(7, click)], [row(0, banner)]).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [click]],
    ]);
  });

  test('also when the server gave its rows stamps that lie far apart', () => {
    expect(tell([row(0, banner), row(90_000_000, click)])).toHaveLength(1);
    expect(tell([row(0, banner)], [row(90_000_000, click)])).toHaveLength(1);
  });

  test('each time it is made', () => {
    const again = [row(0, banner), row(7, click), row(60_000, banner), row(60_007, click)];
    expect(tell(again).map(brief)).toStrictEqual([
      ['entity.classified', toGreen, [banner, click]],
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [banner, click]],
    ]);
    expect(tell(again.slice(0, 1), again.slice(1, 3), again.slice(3))).toHaveLength(2);
  });

  test('each for two curators who click at the same time', () => {
    const other = { user_name: 'Somebody Else' };
    expect(tell([row(0, banner), row(1, banner, other), row(2, click), row(3, click, other)])).toHaveLength(
      2,
    );
  });

  test('each for two panels and for two genes', () => {
    const other = { panel_id: 8 };
    expect(tell([row(0, banner), row(1, banner, other), row(2, click), row(3, click, other)])).toHaveLength(
      2,
    );
  });

  test('and not that of another rating', () => {
    const amber = 'Classified gene: BRCA1 as Amber List (moderate evidence)';
    expect(tell([row(0, banner), row(7, amber)]).map(brief)).toMatchObject([
      ['entity.classified', { to: 'green' }, [banner]],
      ['entity.classified', { from: 'green', to: 'amber', direction: 'downgraded' }, [amber]],
    ]);
  });

  test('and not one from before a rating between them', () => {
    const edit =
      'Source NHS GMS was added to BRCA1.\nRating Changed from Green List (high evidence) to Red List (low evidence)';
    const rows = [row(0, banner), row(60_000, edit), row(120_000, click)];
    for (const events of [tell(rows), tell(...rows.map((one) => [one]))]) {
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

describe('a twin that comes after the entity was rated again', () => {
  const amber = [
    row(60_000, 'Gene: brca1 has been classified as Amber List (Moderate Evidence).'),
    row(60_007, 'Classified gene: BRCA1 as Amber List (moderate evidence)'),
  ];

  test.each([
    ['a click', [row(0, banner)], row(7, click)],
    ['a banner', [row(7, click)], row(0, banner)],
    ['the origin of a copy', [row(0, added)], row(7, copied, onPanel)],
  ])('adds nothing: %s', (_name, first, twin) => {
    for (const between of [
      amber,
      [row(60_000, 'Source: NHS GMS was removed from gene: BRCA1')],
      [row(60_000, 'removed gene:BRCA1 from the panel', onPanel)],
      [row(60_000, banner), row(60_007, click)],
      [row(90_000, banner), row(90_007, click), ...amber],
    ]) {
      expect(tell(first, between, [twin])).toStrictEqual(tell(first, between));
    }
  });

  test('makes a rating unchanged: the banner of a mark as ready', () => {
    expect(tell([row(7, ready)], amber, [row(0, banner)]).at(-1)?.data.change).toStrictEqual({
      from: 'green',
      to: 'green',
      direction: 'unchanged',
    });
  });

  test('is no twin where it was written after that', () => {
    const rated = [row(0, banner), ...amber, row(120_000, click)];
    for (const events of [tell(rated), tell(rated.slice(0, 1), rated.slice(1, 3), rated.slice(3))]) {
      expect(events.map(({ data }) => data.change)).toMatchObject([
        { to: 'green' },
        { to: 'amber' },
        { from: 'amber', to: 'green', direction: 'upgraded' },
      ]);
    }
  });

  test('is no twin either where that row came late', () => {
    expect(tell([row(0, banner)], [row(90_000, comment)], amber, [row(120_000, click)])).toHaveLength(4);
  });
});

describe('marking as ready', () => {
  test('is an event of its own beside a rating that is unchanged', () => {
    expect(tell([row(0, banner), row(7, ready)]).map(brief)).toStrictEqual([
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [banner]],
      ['entity.marked-ready', {}, [ready]],
    ]);
  });

  test('of an entity on no list removes nothing', () => {
    const removed = 'Gene: brca1 has been removed from the panel.';
    expect(tell([row(0, removed), row(7, ready)]).map(brief)).toStrictEqual([
      ['entity.classified', { from: 'none', to: 'none', direction: 'unchanged' }, [removed]],
      ['entity.marked-ready', {}, [ready]],
    ]);
  });

  test('is told once, in whatever poll its rows are met', () => {
    expect(tell([row(7, ready)], [row(0, banner)]).map(brief)).toStrictEqual([
      ['entity.marked-ready', {}, [ready]],
      ['entity.classified', { from: 'green', to: 'green', direction: 'unchanged' }, [banner]],
    ]);
    expect(tell([row(0, banner)], [row(7, ready)])).toHaveLength(2);
  });
});

describe('the rating before', () => {
  const amber = row(0, 'Classified gene: BRCA1 as Amber List (moderate evidence)');

  test.each([
    ['red', 'Classified gene: BRCA1 as Red List (low evidence)', 'downgraded'],
    ['amber', 'Classified gene: BRCA1 as Amber List (moderate evidence)', 'unchanged'],
    ['green', click, 'upgraded'],
    ['none', 'Classified gene: BRCA1 as No list', 'downgraded'],
  ])('is what earlier rows said: from amber to %s', (to, text, direction) => {
    expect(tell([amber], [row(60_000, text)])[1]?.data.change).toStrictEqual({
      from: 'amber',
      to,
      direction,
    });
  });

  test('is not known once sources were cleared, which may change it without a word', () => {
    for (const text of [
      'Source: NHS GMS was removed from gene: BRCA1',
      'All sources for gene: BRCA1 were removed',
    ]) {
      expect(tell([amber, row(50, text), row(60_000, click)]).at(-1)?.data.change).toStrictEqual(toGreen);
    }
  });

  test('is not that of a later row, when a row comes late', () => {
    expect(tell([row(60_000, click)], [amber]).at(-1)?.data.change).toMatchObject({
      from: null,
      to: 'amber',
    });
    expect(tell([row(60_000, click)], [amber], [row(90_000, click)]).at(-1)?.data.change).toMatchObject({
      from: 'green',
    });
  });

  test('belongs to the entity on its panel alone', () => {
    expect(tell([amber], [row(60_000, click, { panel_id: 8 })])[1]?.data.change).toStrictEqual(toGreen);
  });

  test('is told when the entity is removed, and forgotten', () => {
    const removed = row(60_000, 'removed gene:BRCA1 from the panel', onPanel);
    expect(tell([amber], [removed], [row(90_000, click)]).map(({ data }) => data.change)).toStrictEqual([
      { from: null, to: 'amber', direction: 'unknown' },
      { rating: 'amber' },
      toGreen,
    ]);
  });

  test('goes over to the new symbol of a gene that was replaced', () => {
    const renamed = row(60_000, 'BRCA1 was changed to BRCAX', { entity_name: 'BRCAX' });
    const rated = row(90_000, 'Classified gene: BRCAX as Green List (high evidence)', {
      entity_name: 'BRCAX',
    });
    expect(tell([amber], [renamed], [rated])[2]?.data.change).toMatchObject({
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
    expect(tell([row(0, text)]).map(brief)).toStrictEqual([
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
    expect(tell([row(0, added('NHS GMS'))]).map(brief)).toMatchObject([
      ['entity.added', { rating: null }, [{}]],
    ]);
  });

  test.each([
    ['in one poll', (one: ReturnType<typeof row>, other: ReturnType<typeof row>) => [[one, other]]],
    ['over two polls', (one: ReturnType<typeof row>, other: ReturnType<typeof row>) => [[one], [other]]],
    ['the copy first', (one: ReturnType<typeof row>, other: ReturnType<typeof row>) => [[other], [one]]],
  ])('by copying is one addition, %s', (_how, polls) => {
    const rows = polls(
      row(0, added('Expert Review Green')),
      row(9, 'Copied gene BRCA1 from panel Childhood cancer', onPanel),
    );
    const events = tell(...rows);
    expect(events.filter(({ type }) => type === 'gene-panel.entity.added.v1')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'gene-panel.entity.classified.v1')).toHaveLength(1);
  });

  test('by copying says from where', () => {
    const events = tell([
      row(0, added('')),
      row(9, 'Copied gene BRCA1 from panel Childhood cancer', onPanel),
    ]);
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

test('a replaced gene is one renaming, beside what else changed', () => {
  const edit = 'Source NHS GMS was added to BRCA1.';
  const events = tell([
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
  const [event] = tell([row(0, click)]);
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
      },
      entity: { type: 'gene', name: 'BRCA1' },
      actor: 'Eleanor Vance',
      summary:
        'BRCA1 was rated green on Hereditary breast cancer (R208) in version 3.2; its rating before is not known.',
      late: false,
      activities: [row(0, click)],
      change: toGreen,
    },
  });
});

test('a text that is not known is told whole, as unclassified (fault 26)', () => {
  expect(tell([row(0, 'BRCA1 was blessed')]).map(brief)).toMatchObject([
    [
      'activity.unclassified',
      { reason: 'unknown-text', row: { text: 'BRCA1 was blessed' } },
      ['BRCA1 was blessed'],
    ],
  ]);
});

describe('an edit that adds an expert review without saying that the rating changed', () => {
  const edit = 'Source Expert Review Green was added to BRCA1.';

  test('tells the rating as unchanged, because the software would have said otherwise', () => {
    expect(tell([row(0, edit)])[0]?.data.change).toStrictEqual({
      from: 'green',
      to: 'green',
      direction: 'unchanged',
    });
  });

  test('tells what earlier rows said, where they said something else', () => {
    const amber = row(0, 'Classified gene: BRCA1 as Amber List (moderate evidence)');
    expect(tell([amber], [row(60_000, edit)])[1]?.data.change).toStrictEqual({
      from: 'amber',
      to: 'green',
      direction: 'upgraded',
    });
  });
});
