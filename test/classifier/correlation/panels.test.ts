import { describe, expect, test } from 'vitest';
import type { Activity } from '../../../lambdas/catalogue/schemas.ts';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { minutes, parseInstant } from '../../../lambdas/run/instant.ts';
import type { Listing } from '../../../lambdas/store/listing.ts';
import { eventsOf, eventsWith, listing, onPanel, row } from './rows.ts';

const noon = parseInstant('2026-01-31T12:00:00Z') ?? 0n;
const typed = 'Panel types changed to Super Panel; GMS signed-off';
const related = 'List of related panels changed from R208 to R59';
const comment = 'commented on gene: BRCA1: x';

const panelRow = (milliseconds: number, text: string, given: Partial<Activity> = {}): Activity =>
  row(milliseconds, text, { ...onPanel, ...given });
const panelsIn = (events: readonly PanelEvent[]): unknown[] => events.map(({ data }) => data.panel);

describe('a row that states facts of its panel', () => {
  test('changes them for its own event and for all later ones, whichever poll reads them', () => {
    const rows = [
      row(0, comment),
      panelRow(10, typed),
      row(20, comment),
      panelRow(30, related),
      row(40, comment),
    ];
    const expected = [
      {
        types: ['gms-rare-disease', 'gms-signed-off'],
        relevantDisorders: ['Inherited breast cancer', 'R208'],
      },
      { types: ['superpanel', 'gms-signed-off'], relevantDisorders: ['Inherited breast cancer', 'R208'] },
      { types: ['superpanel', 'gms-signed-off'], relevantDisorders: ['Inherited breast cancer', 'R208'] },
      { types: ['superpanel', 'gms-signed-off'], relevantDisorders: ['R59'] },
      { types: ['superpanel', 'gms-signed-off'], relevantDisorders: ['R59'] },
    ];
    expect(panelsIn(eventsOf(rows))).toMatchObject(expected);
    expect(panelsIn(eventsOf(...rows.map((one) => [one])))).toMatchObject(expected);
  });

  test('states that the panel is signed off by its types alone', () => {
    expect(panelsIn(eventsOf([panelRow(0, 'Panel types changed to Research')]))).toMatchObject([
      { types: ['research'], signedOff: false },
    ]);
    expect(panelsIn(eventsOf([panelRow(0, 'Panel types changed to ')]))).toMatchObject([{ types: [] }]);
  });

  test('is not followed where the listing is newer', () => {
    const [first] = panelsIn(eventsOf([panelRow(-70 * 60_000, typed), row(0, comment)]));
    expect(first).toMatchObject({ types: ['gms-rare-disease', 'gms-signed-off'] });
  });

  test('is followed where it is older by minutes, because clocks differ', () => {
    const [first] = panelsIn(eventsOf([panelRow(-64 * 60_000, typed)]));
    expect(first).toMatchObject({ types: ['superpanel', 'gms-signed-off'] });
  });

  test('is no longer followed once a listing is newer', () => {
    const later = { ...listing, readAt: noon + minutes(30) };
    expect(panelsIn(eventsWith(later, [row(60 * 60_000, comment)]))).toMatchObject([
      { types: ['gms-rare-disease', 'gms-signed-off'], factsReadAt: '2026-01-31T12:30:00.000000Z' },
    ]);
  });

  test('read late does not replace what a later row stated', () => {
    const late = panelRow(5, 'Panel types changed to Research');
    expect(panelsIn(eventsOf([panelRow(10, typed)], [late], [row(20, comment)])).at(-1)).toMatchObject({
      types: ['superpanel', 'gms-signed-off'],
    });
  });

  test('and creates a panel gives the facts that no listing holds yet', () => {
    const created = panelRow(
      0,
      'Added Panel Ataxia\nSet list of related panels to R54\nSet panel types to: Super Panel',
      {
        panel_id: 8,
      },
    );
    for (const known of [listing, null]) {
      const events = eventsWith(known, [created], [row(10, comment, { panel_id: 8 })]);
      expect(panelsIn(events).at(-1)).toStrictEqual({
        id: 8,
        name: 'Hereditary breast cancer',
        version: '3.2',
        types: [known ? 'superpanel' : 'super-panel'],
        signedOff: false,
        relevantDisorders: ['R54'],
        factsReadAt: '2026-01-31T12:00:00.000000Z',
      });
    }
  });
});

describe('a row that changes a fact of its panel in a way that cannot be read', () => {
  const unreadable = 'List of related panels changed from R1; R2 to a to b; c';
  const withoutDisorders = {
    id: 7,
    name: 'Hereditary breast cancer',
    version: '3.2',
    types: ['gms-rare-disease', 'gms-signed-off'],
    diseaseGroup: 'Tumour syndromes',
    diseaseSubGroup: '',
    signedOff: true,
    factsReadAt: '2026-01-31T11:00:00.000000Z',
  };

  test('makes it unknown in its own event and in all later ones', () => {
    const rows = [panelRow(0, unreadable), row(10, comment)];
    for (const events of [eventsOf(rows), eventsOf(...rows.map((one) => [one]))]) {
      expect(panelsIn(events)).toStrictEqual([withoutDisorders, withoutDisorders]);
    }
  });

  test('makes it unknown also after a row that stated it', () => {
    const rows = [panelRow(0, related), panelRow(10, unreadable), row(20, comment)];
    expect(panelsIn(eventsOf(rows)).at(-1)).toStrictEqual(withoutDisorders);
  });

  test('makes its types and whether it is signed off unknown', () => {
    const [panel] = panelsIn(eventsOf([panelRow(0, 'Panel types changed to Research; b')]));
    expect(panel).not.toHaveProperty('types');
    expect(panel).not.toHaveProperty('signedOff');
    expect(panel).toMatchObject({ relevantDisorders: ['Inherited breast cancer', 'R208'] });
  });

  test('is replaced by a later row that can be read', () => {
    const rows = [panelRow(0, unreadable), panelRow(10, related), row(20, comment)];
    for (const events of [eventsOf(rows), eventsOf(...rows.map((one) => [one]))]) {
      expect(panelsIn(events).at(-1)).toStrictEqual({ ...withoutDisorders, relevantDisorders: ['R59'] });
    }
  });

  test('is replaced by a later listing', () => {
    const read = { ...listing, readAt: noon + minutes(30) };
    const rows = [panelRow(0, unreadable), row(60 * 60_000, comment)];
    expect(panelsIn(eventsWith(read, rows)).at(-1)).toMatchObject({
      relevantDisorders: ['Inherited breast cancer', 'R208'],
    });
  });

  test('keeps a fact unknown that is too long to be kept', () => {
    const long = `List of related panels changed from R1 to ${'R2 '.repeat(10_000)}`;
    expect(panelsIn(eventsOf([panelRow(0, long), row(10, comment)]))).toStrictEqual([
      withoutDisorders,
      withoutDisorders,
    ]);
  });

  test('and creates the panel leaves the list unknown, not empty', () => {
    const created = panelRow(0, 'Added Panel Ataxia\nSet list of related panels to R54; b', { panel_id: 8 });
    const events = eventsOf([created], [row(10, comment, { panel_id: 8 })]);
    expect(panelsIn(events).at(-1)).toMatchObject({ types: [], signedOff: false });
    expect(panelsIn(events).at(-1)).not.toHaveProperty('relevantDisorders');
    expect(events.slice(0, 2).map(({ type, data }) => [type, data.change])).toStrictEqual([
      ['gene-panel.panel.created.v1', { name: 'Ataxia' }],
      ['gene-panel.panel.changed.v1', { changes: [{ field: 'relatedPanels' }] }],
    ]);
  });
});

test('events of a panel of which nothing is known have no facts, and no time of reading', () => {
  expect(panelsIn(eventsWith(null, [row(0, comment)]))).toStrictEqual([
    { id: 7, name: 'Hereditary breast cancer', version: '3.2' },
  ]);
});

describe('the version before a promotion', () => {
  const promoted = panelRow(60_000, 'promoted panel to version 4.0', { panel_version: '4.0' });
  const previousIn = (events: readonly PanelEvent[]): unknown[] =>
    events.flatMap(({ type, data }) =>
      type === 'gene-panel.panel.promoted.v1' ? [data.change.previousVersion] : [],
    );
  const at = (version: string, milliseconds: number): Activity =>
    row(milliseconds, comment, { panel_version: version });
  const listed = (...versions: readonly (readonly [string, bigint])[]): Listing => ({
    ...listing,
    panels: new Map(
      [...listing.panels].map(([id, { name, facts }]) => [
        id,
        { name, facts, versions: versions.map(([version, at]) => ({ version, at })) },
      ]),
    ),
  });

  test('is what the last row before it stated, whichever poll read it', () => {
    const rows = [at('3.9', 0), at('3.10', 10), promoted];
    expect(previousIn(eventsOf(rows))).toStrictEqual(['3.10']);
    expect(previousIn(eventsOf(...rows.map((one) => [one])))).toStrictEqual(['3.10']);
  });

  test('is also what a row with unrecognised text stated', () => {
    expect(previousIn(eventsOf([row(0, 'Archived', { panel_version: '3.7' }), promoted]))).toStrictEqual([
      '3.7',
    ]);
  });

  test('is unknown without an earlier row or listing', () => {
    expect(previousIn(eventsOf([promoted]))).toStrictEqual([null]);
    expect(
      previousIn(eventsOf([row(0, comment, { panel_id: 8, panel_version: '3.3' }), promoted])),
    ).toStrictEqual([null]);
    expect(previousIn(eventsOf([row(0, comment, { panel_version: null }), promoted]))).toStrictEqual([null]);
  });

  test('is not that of a later row', () => {
    expect(previousIn(eventsOf([at('4.1', 70_000)], [promoted]))).toStrictEqual([null]);
    expect(previousIn(eventsOf([at('3.5', 0)], [at('4.1', 70_000)], [promoted]))).toStrictEqual([null]);
  });

  test('is that of a listing, where it is newer than the last row', () => {
    const known = listed(['3.6', noon + minutes(0)]);
    expect(previousIn(eventsWith(known, [promoted]))).toStrictEqual(['3.6']);
    expect(previousIn(eventsWith(known, [at('3.5', -1000), promoted]))).toStrictEqual(['3.6']);
    expect(previousIn(eventsWith(known, [at('3.7', 1000), promoted]))).toStrictEqual(['3.7']);
  });

  test('is that of the listing before, where the last one shows the promotion already', () => {
    const known = listed(['4.0', noon + minutes(1)], ['3.6', noon - minutes(9)]);
    expect(previousIn(eventsWith(known, [promoted]))).toStrictEqual(['3.6']);
    expect(previousIn(eventsWith(listed(['4.0', noon]), [promoted]))).toStrictEqual([null]);
  });
});

test('signing off states no version: that of the row is the one after saving', () => {
  const rows = [
    panelRow(0, 'Panel version has been signed off', { panel_version: '1.6' }),
    panelRow(10, 'Panel signed off version has been removed', { panel_version: '1.7' }),
  ];
  expect(eventsOf(rows).map(({ data }) => [data.change, data.summary])).toStrictEqual([
    [{ signedOff: true, via: 'activity' }, 'A version of Hereditary breast cancer (R208) was signed off.'],
    [
      { signedOff: false, via: 'activity' },
      'The signed-off version of Hereditary breast cancer (R208) was withdrawn.',
    ],
  ]);
});
