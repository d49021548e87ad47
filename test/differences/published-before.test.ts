import { describe, expect, test } from 'vitest';
import { withoutPublished } from '../../lambdas/differences/events-of.ts';
import { eventOf, rated } from './made-events.ts';

describe('a row adds nothing to a difference that was published before', () => {
  test('where it was written before, and leads to the same', () => {
    expect(withoutPublished(rated('green'), [rated('green', { via: 'listing', second: 60 })])).toBeNull();
  });

  test('also where a later difference was published since', () => {
    const silent = [
      eventOf('panel.withdrawn', { via: 'listing' }, { second: 60 }),
      eventOf('panel.published', { via: 'listing' }, { second: 120 }),
    ];
    expect(withoutPublished(eventOf('panel.withdrawn', { via: 'activity' }), silent)).toBeNull();
  });

  test('a promotion to a version that was passed', () => {
    const promoted = eventOf('panel.promoted', { version: '2.0', previousVersion: null, via: 'activity' });
    const passed = eventOf(
      'panel.promoted',
      { version: '3.0', previousVersion: '2.0', via: 'listing' },
      { second: 60 },
    );
    expect(withoutPublished(promoted, [passed])).toBeNull();
  });

  test('of several changes, those that were published', () => {
    const row = eventOf('panel.changed', {
      changes: [
        { field: 'name', from: 'Panel 3', to: 'Renamed' },
        { field: 'hpoTerms', to: ['HP:1'] },
      ],
    });
    const silent = eventOf(
      'panel.changed',
      { changes: [{ field: 'name', from: 'Panel 3', to: 'Renamed' }], via: 'listing' },
      { second: 60 },
    );
    const left = withoutPublished(row, [silent]);
    expect(left?.data.change).toEqual({ changes: [{ field: 'hpoTerms', to: ['HP:1'] }] });
    expect(left?.data.summary).not.toContain('Renamed');
  });
});

describe('a row is published', () => {
  test.each([
    ['that leads elsewhere', rated('red'), rated('green', { via: 'listing', second: 60 })],
    ['that is written later', rated('green', { second: 61 }), rated('green', { via: 'listing' })],
    [
      'about another entity',
      rated('green', { entity: { type: 'region', name: 'ISCA-4-Gain' } }),
      rated('green', { via: 'listing', second: 60 }),
    ],
    [
      'that states no fact',
      eventOf('entity.commented', { comment: 'Hello', action: 'added' }),
      rated('green', { via: 'listing', second: 60 }),
    ],
    [
      'that makes a panel public within a second of an earlier publication',
      eventOf('panel.published', { via: 'activity' }, { second: 0.5 }),
      eventOf('panel.published', { via: 'listing' }),
    ],
  ])('%s', (_title, row, silent) => {
    expect(withoutPublished(row, [silent])).toBe(row);
  });

  test('that leads where a difference led that was found before it was written', () => {
    const silent = [
      rated('green', { via: 'listing' }),
      eventOf('panel.withdrawn', { via: 'listing' }, { second: 120 }),
    ];
    const row = rated('green', { second: 60 });
    expect(withoutPublished(row, silent)).toBe(row);
  });
});
