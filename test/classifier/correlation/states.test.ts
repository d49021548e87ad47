import { expect, test } from 'vitest';
import { classifyLog } from '../../../lambdas/classifier/classify.ts';
import {
  correlate,
  createKnownStates,
  entitiesOf,
  panelsOf,
} from '../../../lambdas/classifier/correlation/correlate.ts';
import { pairRows, recognisedOf } from '../../../lambdas/classifier/correlation/pairs.ts';
import { onPanel, row } from './rows.ts';

const banner = 'Gene: brca1 has been classified as Green List (High Evidence).';
const ratingText = 'Classified gene: BRCA1 as Green List (high evidence)';

test('no state of an entity is read for a row that neither rates it nor pairs', () => {
  const rows = classifyLog([row(0, 'Added comment: x'), row(1, 'promoted panel to version 2.0', onPanel)]);
  expect(entitiesOf(rows)).toStrictEqual([]);
  expect(panelsOf(rows)).toStrictEqual([7]);
});

test('the states of both symbols are read for a gene that was replaced', () => {
  const renamed = row(0, 'BRCA1 was changed to BRCAX', { entity_name: 'BRCAX' });
  expect(entitiesOf(classifyLog([renamed]))).toHaveLength(2);
});

test('the last eight rows are kept that wait for their paired row', () => {
  const banners = Array.from({ length: 12 }, (_, index) => row(index * 120_000, banner));
  const rows = classifyLog(banners);
  const context = { catalogue: { name: 'uk', url: '/' }, listing: null };
  const { learnt } = correlate(rows, createKnownStates(), context);
  const [state] = [...learnt.entities.values()];
  expect(state?.unpaired.map(({ at }) => at)).toStrictEqual(rows.slice(-8).map(({ at }) => at));
});

test('a row that never pairs is not kept', () => {
  const rows = classifyLog([row(0, 'Source: NHS GMS was removed from gene: BRCA1')]);
  const context = { catalogue: { name: 'uk', url: '/' }, listing: null };
  const { learnt } = correlate(rows, createKnownStates(), context);
  expect([...learnt.entities.values()].map(({ unpaired }) => unpaired)).toStrictEqual([[]]);
});

test('rows of one microsecond pair in either order', () => {
  const rows = recognisedOf(classifyLog([row(1, banner), row(1, ratingText)]));
  for (const ordered of [rows, rows.toReversed()]) expect(pairRows(ordered).size).toBe(2);
});
