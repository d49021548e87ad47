import { describe, expect, test } from 'vitest';
import { clearExpertReview, markReady, rate } from '../../../sandbox/software/actions/edit-field.ts';
import { replaceGene } from '../../../sandbox/software/actions/form-lines.ts';
import { legacyClassified } from '../../../sandbox/software/actions/legacy.ts';
import { editPanel, promotePanel } from '../../../sandbox/software/actions/panel.ts';
import {
  addEntity,
  copyEntity,
  deleteEntity,
  importEntities,
  noFirstReview,
} from '../../../sandbox/software/actions/panel-entities.ts';
import { commentFirst } from '../../../sandbox/software/actions/review.ts';
import { promoteSilently } from '../../../sandbox/software/silent-kinds.ts';
import { type Entity, versionOf } from '../../../sandbox/software/state.ts';
import { aGene, aPanel, aRegion, aSession } from './cases/case.ts';

const rowsOf = (outcome: { readonly rows: readonly { readonly row: object }[] }): readonly object[] =>
  outcome.rows.map(({ row }) => row);

describe('the fields of a row', () => {
  test('an entity-level row', () => {
    expect(rowsOf(commentFirst(aSession(), aRegion()))).toEqual([
      {
        panel_name: 'Hearing loss',
        panel_id: 7,
        panel_version: '1.4',
        user_name: 'Ana Lee',
        item_type: 'entity',
        text: 'commented on Region: ISCA-37390-Loss',
        entity_name: 'ISCA-37390-Loss',
        entity_type: 'region',
      },
    ]);
  });

  test('a panel-level row about an entity has the entity only in its text', () => {
    expect(rowsOf(deleteEntity(aSession(), aGene()))).toMatchObject([
      { item_type: 'panel', entity_name: null, entity_type: null, text: 'removed gene:BRCA1 from the panel' },
    ]);
  });

  test('the row that renames a panel has its new name', () => {
    expect(rowsOf(editPanel(aSession(), { name: 'Deafness' }))).toMatchObject([
      { panel_name: 'Deafness', text: 'Panel name changed from Hearing loss to Deafness' },
    ]);
  });

  test('a replaced gene has the old symbol in the first row and the new one after', () => {
    const outcome = replaceGene(aSession(), aGene(), 'MT-ND1', { modeOfInheritance: 'Other' });
    expect(rowsOf(outcome)).toMatchObject([
      { entity_name: 'BRCA1' },
      { entity_name: 'MT-ND1' },
      { entity_name: 'MT-ND1' },
    ]);
  });

  test('the management command acts without a user', () => {
    expect(rowsOf(clearExpertReview(aSession(), aGene(), ['UKGTN']))).toMatchObject([{ user_name: null }]);
  });

  test('an old row has no panel version, and may have no entity', () => {
    const style = { labelled: true, unnamed: true };
    expect(rowsOf(legacyClassified(aSession(), aGene(), 'green', style))).toMatchObject([
      { panel_version: null, entity_name: null, entity_type: null, item_type: 'entity' },
    ]);
  });
});

describe('time', () => {
  test('rows of one action are a gap apart, the first at the time of the session', () => {
    const session = aSession({ at: 1_000_000, gap: () => 2500 });
    expect(rate(session, aGene(), 'green', 'Yes.').rows.map(({ at }) => at)).toEqual([
      1_000_000, 1_002_500, 1_005_000,
    ]);
  });

  test('rows of an import are further apart', () => {
    const session = aSession({ at: 1_000_000 });
    const outcome = importEntities(session, [aGene(), aGene({}, 'TTN')], () => 40_000);
    expect(outcome.rows.map(({ at }) => at)).toEqual([1_000_000, 1_040_000]);
    expect(outcome.truth.map(({ rows }) => rows)).toEqual([[0], [1]]);
  });
});

describe('the version of the panel', () => {
  const versions: readonly (readonly [
    name: string,
    act: (session: ReturnType<typeof aSession>) => unknown,
    version: string,
  ])[] = [
    ['a curator adds', (session) => addEntity(session, aGene(), noFirstReview), '1.5'],
    [
      'another person adds',
      (session) => addEntity({ ...session, person: { name: 'Bo', curator: false } }, aGene(), noFirstReview),
      '1.4',
    ],
    ['a rating by hand', (session) => rate(session, aGene(), 'green', null), '1.5'],
    ['marking as ready', (session) => markReady(session, aGene(), null), '1.4'],
    ['a comment', (session) => commentFirst(session, aGene()), '1.4'],
    ['a promotion', (session) => promotePanel(session), '2.0'],
  ];

  test.each(versions)('%s', (_name, act, version) => {
    const session = aSession();
    act(session);
    expect(versionOf(session.panel)).toBe(version);
  });

  test('a super panel’s promotion is silent', () => {
    const panel = aPanel({ childPanels: [aPanel()] });
    expect(promoteSilently(panel, 0).rows).toEqual([]);
    expect(versionOf(panel)).toBe('2.0');
  });
});

describe('the rating of an added entity', () => {
  const ratingAfter = (entity: Entity, curator: boolean): string => {
    addEntity(aSession({ person: { name: 'Bo', curator } }), entity, noFirstReview);
    return entity.rating;
  };

  test('comes from an Expert Review source', () => {
    expect(ratingAfter(aGene({ sources: ['UKGTN', 'Expert Review Green'] }), false)).toBe('green');
  });

  test('is red where a curator added it', () => expect(ratingAfter(aGene(), true)).toBe('red'));

  test('is "No list" where a reviewer added it', () => expect(ratingAfter(aGene(), false)).toBe('none'));
});

test('a copy goes to the other panel, and a second copy only brings reviews', () => {
  const target = aPanel({ id: 9, name: 'Deafness' });
  const gene = aGene();
  const first = copyEntity(aSession(), gene, target);
  expect(rowsOf(first)).toMatchObject([{ panel_id: 9 }, { panel_id: 9, item_type: 'panel' }]);
  expect(first.truth[0]).toMatchObject({ type: 'entity.added', panelId: 9, rows: [0, 1] });
  expect(copyEntity(aSession(), gene, target).truth).toMatchObject([{ type: 'entity.reviews-copied' }]);
});
