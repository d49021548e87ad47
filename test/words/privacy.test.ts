import { describe, expect, test } from 'vitest';
import { webhookMessage } from '../../lambdas/channels/post.ts';
import { withPrivacy } from '../../lambdas/words/privacy.ts';
import { eventOf, turnedGreen } from './events.ts';

const comment = 'Agreed by Catherine Snowe; Snowe et al. Green.';
const side = {
  ...{ modesOfInheritance: [], since: '2026-01-31T12:00:00.000000Z', sinceIsExact: true, signedOff: null },
  ...{ ratedBy: 'Catherine Snowe', comment, commentBy: 'Catherine Snowe' },
};
const parts = { rowText: `Catherine Snowe wrote: ${comment}` };
const events = [
  turnedGreen(parts),
  eventOf('entity.commented', { comment, action: 'edited', previousComment: comment }, parts),
  eventOf('entity.reviewed', { rating: 'green', edited: false, comment }, parts),
  eventOf('entity.disagreement', {
    from: 'agreed',
    to: 'here',
    here: { ...side, rating: 'green' },
    there: {
      ...side,
      rating: 'amber',
      catalogue: 'au',
      panel: { id: 1, name: 'A', version: '1.0' },
      name: 'BRCA1',
    },
  }),
  eventOf(
    'activity.unclassified',
    { reason: 'unknown-text', detail: comment, shape: '<name> wrote', row: parts },
    parts,
  ),
] as const;

describe('names that are dropped', () => {
  test.each(events)('are nowhere, also not in rows: %#', (event) => {
    const json = JSON.stringify(withPrivacy(event, { names: 'dropped', comments: 'kept' }));
    expect(json).not.toMatch(/Catherine|Snowe/);
  });

  test('leave the rest of a comment', () => {
    const event = withPrivacy(events[1], { names: 'dropped', comments: 'kept' });
    expect(event.data.change).toMatchObject({ comment: 'Agreed by …; … et al. Green.' });
  });
});

describe('names as initials', () => {
  test('stand wherever the name stood', () => {
    const event = withPrivacy(events[1], { names: 'initials', comments: 'kept' });
    expect(event.data.actor).toBe('C. S.');
    expect(event.data.summary).toContain('C. S. edited a comment');
    expect(JSON.stringify(event)).not.toMatch(/Catherine|Snowe/);
  });

  test('of a name in capitals and with a hyphen', () => {
    const event = withPrivacy(turnedGreen({ actor: 'zoë Ångström-Müller' }), {
      names: 'initials',
      comments: 'kept',
    });
    expect(event.data.actor).toBe('Z. Å. M.');
  });
});

describe('comments that are dropped', () => {
  test.each(events)('are nowhere, also not in rows: %#', (event) => {
    expect(JSON.stringify(withPrivacy(event, { names: 'kept', comments: 'dropped' }))).not.toContain(
      'Agreed',
    );
  });

  test('are not in the signed body of a webhook', () => {
    const event = withPrivacy(events[1], { names: 'dropped', comments: 'dropped' });
    const { json } = webhookMessage(event, { id: 'one', now: 0 });
    expect(json).not.toMatch(/Agreed|Snowe/);
  });
});

test('an event of which everything is kept is the event itself', () => {
  expect(withPrivacy(events[0], { names: 'kept', comments: 'kept' })).toBe(events[0]);
});
