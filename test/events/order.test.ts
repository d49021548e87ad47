import { describe, expect, test } from 'vitest';
import { compareInOrder, comparePlaces, inOrder, placeOf } from '../../lambdas/events/order.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { breast, eventOf, rated } from '../words/events.ts';

/** An event of a version, so many seconds after nine. */
const at = (version: string | null, seconds: number, panelId = breast.id): PanelEvent =>
  rated('red', 'green', 'upgraded', {
    panel: { ...breast, id: panelId, version },
    time: new Date(Date.UTC(2026, 10, 20, 9, 0, seconds)).toISOString().replace('Z', '000Z'),
  });

const shown = (events: readonly PanelEvent[]): readonly unknown[] =>
  events.map(({ data }) => `${data.panel?.id === breast.id ? '' : 'other '}${data.panel?.version}`);

describe('the events of a panel', () => {
  test.each<readonly [string, readonly PanelEvent[], readonly string[]]>([
    ['without a version are ordered by time', [at(null, 2), at('1.3', 1)], ['1.3', 'null']],
    ['of one version are ordered by time', [at('1.3', 2), at('1.3', 1)], ['1.3', '1.3']],
    ['of two transactions that overlap are ordered by version', [at('1.3', 1), at('1.2', 2)], ['1.2', '1.3']],
    ['are ordered by the numbers of a version', [at('1.10', 1), at('1.9', 2)], ['1.9', '1.10']],
    [
      'of three transactions that overlap are ordered by version',
      [at('1.4', 1), at('1.2', 2), at('1.3', 3), at('1.2', 4)],
      ['1.2', '1.2', '1.3', '1.4'],
    ],
    [
      'come before the whole of a later version',
      [at('1.2', 1), at('1.3', 2), at('1.3', 40), at('1.2', 140)],
      ['1.2', '1.3', '1.2', '1.3'],
    ],
    ['are ordered by time where the panel was set back', [at('1.9', 0), at('1.2', 121)], ['1.9', '1.2']],
    [
      'go on from the number to which the panel was set back',
      [at('1.9', 0), at('1.2', 121), at('1.4', 130), at('1.3', 131)],
      ['1.9', '1.2', '1.3', '1.4'],
    ],
    [
      'of other panels do not matter',
      [at('1.3', 1), at('1.2', 2, 77), at('1.2', 3)],
      ['1.2', '1.3', 'other 1.2'],
    ],
  ])('%s', (_title, events, ordered) => {
    expect(shown(inOrder(events))).toEqual(ordered);
    expect(shown(inOrder(events.toReversed()))).toEqual(ordered);
  });

  test('of one place begin with the row that renames the entity', () => {
    const panel = { ...breast, version: '1.3' };
    const place = { panel, time: '2026-11-20T09:00:01.000000Z' };
    const renaming = eventOf('entity.renamed', { from: 'MLL2', to: 'KMT2D' }, place);
    expect(inOrder([at('1.3', 1), renaming])[0]).toBe(renaming);
    expect(compareInOrder(renaming, at('1.3', 1))).toBeLessThan(0);
  });

  test('are compared as they are ordered', () => {
    const events = [at('1.4', 1), at('1.2', 2), at('1.3', 3), at('1.2', 4), at('2.0', 2)];
    const ordered = inOrder(events);
    for (const [index, event] of ordered.entries())
      for (const other of ordered.slice(index + 1))
        expect(comparePlaces(placeOf(event), placeOf(other))).toBeLessThan(0);
  });
});

test('many events keep their order by time, but for those that overlap', () => {
  const events = Array.from({ length: 2_000 }, (_each, index) => at(`1.${index}`, index * 3));
  const [one, next] = [events[1_000], events[1_001]];
  if (!one || !next) throw new Error('there are too few events');
  const swapped = events
    .with(1_000, { ...one, time: next.time ?? '' })
    .with(1_001, { ...next, time: one.time ?? '' });
  expect(inOrder(swapped).map(({ data }) => data.panel?.version)).toEqual(
    events.map(({ data }) => data.panel?.version),
  );
});
