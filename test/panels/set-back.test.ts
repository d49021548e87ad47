import { expect, test } from 'vitest';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { VersionState, VersionSummary } from '../../lambdas/panels/version-state.ts';
import { eventsBetween } from '../../lambdas/reconcile/events-between.ts';
import { hasRowOfBeginning, statedVersions, wentBack } from '../../lambdas/reconcile/set-back.ts';
import { at, madeUpState } from './made-up-states.ts';

const begun = { version: '1.3', validFrom: at('2026-03-01T10:00:00') };

/** An event of a panel a moment after it got its version. */
function madePublic(row: { readonly text: string } | null): PanelEvent {
  const fields = { created: '2026-03-01T10:00:01Z', panel_id: 3, panel_name: 'Hearing loss' };
  return toEvent({
    kind: 'panel.published',
    change: { via: row ? 'activity' : 'listing' },
    catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
    key: '0123456789abcdef',
    at: at('2026-03-01T10:00:01'),
    panel: { id: 3, name: 'Hearing loss', version: '1.3' },
    entity: null,
    actor: null,
    late: false,
    rows: row
      ? [{ ...fields, panel_version: '1.3', entity_type: null, entity_name: null, user_name: null, ...row }]
      : [],
  });
}

test('a listing that is read when a version begins shows no row of its beginning', () => {
  const hasRow = (event: PanelEvent): boolean => hasRowOfBeginning(statedVersions([event], []), begun);
  expect(hasRow(madePublic({ text: 'Panel made public' }))).toBe(true);
  // The panel may have been set back from a higher number.
  expect(hasRow(madePublic(null))).toBe(false);
});

test('a row of the version before that is stamped some minutes after the next one began sets no panel back', () => {
  const stamped = (time: string): PanelEvent => ({
    ...madePublic({ text: 'Panel made public' }),
    time: `2026-03-01T${time}.000000Z`,
  });
  const from = { version: '1.35', validFrom: at('2026-03-01T10:00:00') };
  const [soon, later] = ['10:04:00', '11:30:00'].map((time) => statedVersions([stamped(time)], []));
  const to = { version: '1.36', validFrom: at('2026-03-01T12:00:00') };
  expect(soon && wentBack(soon, from, to)).toBe(false);
  expect(later && wentBack(later, from, to)).toBe(true);
});

test('a listing of the second in which two versions began sets no panel back', () => {
  const from = { version: '0.11', validFrom: at('2026-03-01T10:00:00') };
  const to = { version: '0.12', validFrom: at('2026-03-01T12:00:00.002') };
  const [soon, earlier] = ['12:00:00', '11:59:58'].map((time) =>
    statedVersions([], [{ version: '0.13', at: at(`2026-03-01T${time}`) }]),
  );
  expect(soon && wentBack(soon, from, to)).toBe(false);
  expect(earlier && wentBack(earlier, from, to)).toBe(true);
});

test('a listing whose first pages were read before a version began sets no panel back', () => {
  const from = { version: '0.11', validFrom: at('2026-03-01T10:00:00') };
  const to = { version: '0.12', validFrom: at('2026-03-01T12:00:00') };
  const isBack = (time: string): boolean =>
    wentBack(statedVersions([], [{ version: '0.10', at: at(`2026-03-01T${time}`) }]), from, to);
  expect([isBack('10:01:17'), isBack('10:11:00')]).toEqual([false, true]);
});

test('a row from before a panel was set back is no row of the same number that came again within the hour', () => {
  const row = { ...madePublic({ text: 'Panel made public' }), time: '2026-03-01T09:40:00.000000Z' };
  const next = madeUpState({ version: '1.3', validFrom: at('2026-03-01T10:30:00'), source: 'present' });
  const before = (proof: VersionSummary['proof']) =>
    madeUpState({ version: '1.2', validFrom: at('2026-03-01T10:00:00'), validTo: next.validFrom, proof });
  const found = (proof: VersionSummary['proof']) =>
    eventsBetween({ before: before(proof), after: next }, [row]).length;
  expect(found({ kind: 'proven' })).toBe(1);
  expect(found({ kind: 'baseline', after: '1.3' })).toBe(0);
});

test('a row from before a panel was set back is no row of a number that came again after several others', () => {
  const row = { ...madePublic({ text: 'Panel made public' }), time: '2026-03-01T09:40:00.000000Z' };
  const next = madeUpState({ version: '1.3', validFrom: at('2026-03-01T12:00:00'), source: 'present' });
  const soon = { ...next, validFrom: at('2026-03-01T10:30:00') };
  const found = (after: VersionState) => {
    const proof = { kind: 'proven' } as const;
    const validFrom = at('2026-03-01T10:00:00');
    const before = madeUpState({ version: '1.2', validFrom, validTo: after.validFrom, proof });
    return eventsBetween({ before, after }, [row]).length;
  };
  // A transaction that is held open stamps rows before their version begins.
  expect(found(soon)).toBe(1);
  expect(found(next)).toBe(0);
});
