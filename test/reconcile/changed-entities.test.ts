import { expect, test } from 'vitest';
import type { StateEntity } from '../../lambdas/panels/version-state.ts';
import { withoutUnchanged } from '../../lambdas/reconcile/unexplained.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { turnedGreen } from '../words/events.ts';

/** What is left of both states, by name and rating. */
function left(before: readonly StateEntity[], after: readonly StateEntity[], names: readonly string[] = []) {
  const event = turnedGreen();
  const events = names.map((name) => ({
    ...event,
    data: { ...event.data, entity: { type: 'gene' as const, name } },
  }));
  const states = { before: madeUpState({ entities: before }), after: madeUpState({ entities: after }) };
  const found = withoutUnchanged(states, events);
  const shown = ({ entities }: { readonly entities: readonly StateEntity[] }): readonly string[] =>
    entities.map(({ name, rating }) => `${name} ${rating}`);
  return [shown(found.before), shown(found.after)];
}

const [a, b, c] = [madeUpGene('AAA'), madeUpGene('BBB'), madeUpGene('CCC')];

test('entities that are the same in two states are left out, wherever they lie', () => {
  expect(left([a, b, c], [structuredClone(a), structuredClone(b), structuredClone(c)])).toEqual([[], []]);
  expect(left([a, b, c], [structuredClone(b), structuredClone(c), structuredClone(a)])).toEqual([[], []]);
  expect(left([a, b], [b, { ...a, rating: 'red' }])).toEqual([['AAA green'], ['AAA red']]);
});

test('of entities that a state holds several times, as many are left out as the other one holds', () => {
  expect(left([a, b], [structuredClone(a), structuredClone(a), structuredClone(b)])).toEqual([
    [],
    ['AAA green'],
  ]);
  expect(left([structuredClone(a), structuredClone(a)], [b, a])).toEqual([['AAA green'], ['BBB green']]);
});

test('an entity that an event names is left in both, also where they are one list', () => {
  const all = [a, b, c];
  expect(left(all, all, ['bbb'])).toEqual([['BBB green'], ['BBB green']]);
  // By the same HGNC id it is the gene that the event names.
  const renamed = { ...b, name: 'NEW' };
  expect(left([a, b], [a, renamed], ['BBB'])).toEqual([['BBB green'], ['NEW green']]);
});
