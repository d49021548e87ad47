import { describe, expect, test } from 'vitest';
import { contradictionsIn } from '../../lambdas/differences/corrections.ts';
import type { Changes } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { eventOf } from './made-events.ts';

let made = 0;

/** Each with an id of its own. */
const numbered = (event: PanelEvent): PanelEvent => {
  made += 1;
  return { ...event, id: `${made}` };
};

type Rated = Changes['entity.classified'];

const rating = (second: number, from: Rated['from'], to: Rated['to'], via?: 'snapshot'): PanelEvent => {
  const direction = from === null ? 'unknown' : 'upgraded';
  return numbered(eventOf('entity.classified', { from, to, direction, ...(via && { via }) }, { second }));
};
const removed = (second: number, last: Rated['from']): PanelEvent =>
  numbered(eventOf('entity.removed', { rating: last }, { second }));
const added = (second: number): PanelEvent =>
  numbered(eventOf('entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }, { second }));
const secondsOf = ({ time }: PanelEvent): number => new Date(time ?? '').getUTCSeconds();
const found = (...events: readonly PanelEvent[]) =>
  contradictionsIn(events).map(({ before, event }) => [secondsOf(before), secondsOf(event)]);

describe('the rating that an event states for before it', () => {
  test.each([
    ['is where the event before led', [rating(1, 'red', 'green'), rating(2, 'green', 'amber')]],
    ['is unknown', [rating(1, 'red', 'green'), rating(2, null, 'amber')]],
    [
      'was found between, in any order',
      [rating(1, 'red', 'green'), rating(3, 'red', 'amber'), rating(2, 'green', 'red', 'snapshot')],
    ],
    ['is of an entity that was added anew', [removed(1, 'green'), added(2), rating(3, 'red', 'green')]],
  ])('%s: no contradiction', (_what, events) => {
    expect(found(...events)).toEqual([]);
  });

  test.each([
    ['is another one', [rating(1, 'red', 'green'), rating(2, 'red', 'amber')], [[1, 2]]],
    ['of a removed entity is another one', [rating(1, 'red', 'green'), removed(2, 'red')], [[1, 2]]],
    ['is one of an entity that was removed', [removed(1, 'green'), rating(2, 'green', 'red')], [[1, 2]]],
  ])('%s: a contradiction', (_what, events, expected) => {
    expect(found(...events)).toEqual(expected);
  });
});
