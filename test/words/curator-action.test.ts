import { describe, expect, test } from 'vitest';
import type { Changes } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { actionsOf, stepsOf } from '../../lambdas/words/curator-action.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { breast, eventOf, rated } from './events.ts';

const asIs = (event: PanelEvent): PanelEvent => event;
const idsOf = (events: readonly PanelEvent[]): readonly (readonly string[])[] =>
  actionsOf(events, asIs).map((action) => action.map(({ id }) => id));
const sentence = (events: readonly PanelEvent[]): string =>
  stepsOf(events, asIs)
    .map(({ separator, row }) => separator + phraseText(row.words))
    .join('');

const time = '2026-11-21T09:14:02.120000Z';
const ready = (parts: Parameters<typeof eventOf>[2]) =>
  eventOf('entity.marked-ready', {}, { time, ...parts });
const confirmed = (parts: Parameters<typeof eventOf>[2]) =>
  rated('red', 'red', 'unchanged', { time, ...parts });

describe('events of one action', () => {
  test('are grouped in the place of the first, also with other events between them', () => {
    expect(
      idsOf([ready({ id: 'a' }), ready({ id: 'b', gene: 'ATM' }), confirmed({ id: 'c' })]),
    ).toStrictEqual([['a', 'c'], ['b']]);
  });

  test.each([
    ['another entity', { gene: 'ATM' }],
    ['another panel', { panel: { ...breast, id: 1 } }],
    ['another person', { actor: 'Ana Example' }],
    ['a second later', { time: '2026-11-21T09:14:03.120000Z' }],
    ['a second earlier', { time: '2026-11-21T09:14:01.120000Z' }],
  ])('do not include those of %s', (_what, parts) => {
    expect(idsOf([ready({ id: 'a' }), confirmed({ id: 'b', ...parts })])).toStrictEqual([['a'], ['b']]);
  });

  test('are less than a second apart, before or after', () => {
    for (const near of ['2026-11-21T09:14:03.119999Z', '2026-11-21T09:14:01.120001Z'])
      expect(idsOf([ready({ id: 'a' }), confirmed({ id: 'b', time: near })])).toStrictEqual([['a', 'b']]);
  });

  test('have each kind once: a second event of a kind begins another action', () => {
    expect(idsOf([ready({ id: 'a' }), ready({ id: 'b' }), confirmed({ id: 'c' })])).toStrictEqual([
      ['a'],
      ['b', 'c'],
    ]);
  });

  test('are about an entity: an event of a panel is an action of its own', () => {
    const promoted = { version: '2.0', previousVersion: '1.9', via: 'activity' } as const;
    expect(
      idsOf([
        eventOf('panel.promoted', promoted, { id: 'a', time }),
        eventOf('panel.signed-off', { signedOff: true, via: 'activity' }, { id: 'b', time }),
      ]),
    ).toStrictEqual([['a'], ['b']]);
  });
});

describe('the sentence of an action', () => {
  const added: Changes['entity.added'] = { rating: 'green', sources: [], tags: ['new'], copiedFrom: null };
  const tags = { added: ['new'], removed: [] };
  test.each<readonly [string, readonly PanelEvent[]]>([
    ['added as green', [eventOf('entity.added', added)]],
    ['added as green', [rated(null, 'green', 'new'), eventOf('entity.added', added)]],
    [
      'added with the tag “new”',
      [eventOf('entity.tags-changed', tags), eventOf('entity.added', { ...added, rating: null })],
    ],
    [
      'copied from Hearing loss as green',
      [eventOf('entity.added', { ...added, copiedFrom: 'Hearing loss' }), rated(null, 'green', 'new')],
    ],
    [
      'confirmed as red; marked as ready; tag “new” added',
      [eventOf('entity.tags-changed', tags), ready({}), confirmed({})],
    ],
    [
      'added as green; tag “old” removed',
      [eventOf('entity.tags-changed', { added: [], removed: ['old'] }), eventOf('entity.added', added)],
    ],
  ])('%s', (words, events) => {
    expect(sentence(events)).toBe(words);
  });
});
