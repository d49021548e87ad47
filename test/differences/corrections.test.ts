import { expect, test } from 'vitest';
import { disagreementsOf } from '../../lambdas/differences/corrections.ts';
import type { Rating } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { eventOf, rated, region } from './made-events.ts';

/** What some events should have stated, where the region was rated so before them. */
const corrected = (
  rating: Rating,
  events: readonly PanelEvent[],
  phenotypes?: readonly string[],
): readonly object[] =>
  disagreementsOf({
    before: {
      facts: {},
      whole: [],
      entities: [{ ...region, facts: { rating, ...(phenotypes && { phenotypes }) } }],
    },
    events,
    mayBeHeld: () => false,
    led: () => null,
  }).map(({ change }) => change);

const sources = { field: 'sources', aspect: 'all' } as const;
const inheritance = { field: 'modeOfInheritance', from: null, to: 'MITOCHONDRIAL' } as const;

test('the rating that was lost with its sources is corrected to the one that the version before held', () => {
  const lost = eventOf('entity.annotated', { changes: [sources], rating: 'green' });
  expect(corrected('none', [lost])).toEqual([{ changes: [sources], rating: 'none' }]);
  expect(corrected('green', [lost])).toEqual([]);
});

test('an annotation that states the rating of its own row is right, whichever is read first', () => {
  const annotated = eventOf('entity.annotated', { changes: [inheritance], rating: 'green' });
  const own = rated('green');
  expect(corrected('green', [annotated, own])).toEqual([]);
  expect(corrected('amber', [annotated, own])).not.toContainEqual(
    expect.objectContaining({ rating: 'amber' }),
  );
});

test('what a bulk upload says that it added, and was there, is left out of the correction', () => {
  const uploaded = (...added: string[]): PanelEvent =>
    eventOf('entity.annotated', {
      changes: [inheritance, { field: 'phenotypes', added }],
      rating: 'green',
    });
  const correctedTo = (event: PanelEvent): readonly object[] => corrected('green', [event], ['ataxia']);
  expect(correctedTo(uploaded('tremor'))).toEqual([]);
  expect(correctedTo(uploaded('ataxia', 'tremor'))).toEqual([
    { changes: [inheritance, { field: 'phenotypes', added: ['tremor'] }], rating: 'green' },
  ]);
  expect(correctedTo(uploaded('ataxia'))).toEqual([{ changes: [inheritance], rating: 'green' }]);
  const alone = eventOf('entity.annotated', { changes: [{ field: 'phenotypes', added: ['ataxia'] }] });
  expect(correctedTo(alone)).toEqual([{ changes: [{ field: 'phenotypes', added: [] }] }]);
});
