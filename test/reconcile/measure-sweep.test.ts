import { expect, test } from 'vitest';
import { measureSweep } from '../../lambdas/reconcile/measure-sweep.ts';
import { createSweepReport, type SweepOutcome } from '../../lambdas/reconcile/sweep-report.ts';
import { metrics } from '../../lambdas/run/emf.ts';

const unused = { requests: 0, retries: 0, throttled: 0, pages: 0, bytes: 0 };

const measured = (outcome: SweepOutcome): Record<string, unknown> => {
  const lines: string[] = [];
  const own = metrics(
    (line) => lines.push(line),
    () => 0,
    { namespace: 'Notifier/test', catalogue: 'uk' },
  );
  const refusal = outcome === 'refused' ? 'shrunken' : undefined;
  measureSweep(own, createSweepReport().end(outcome, refusal), { traffic: unused, provenByStates: true });
  return lines.length === 0 ? {} : JSON.parse(lines[0] ?? '');
};

test.each(['log-unread', 'interrupted', 'out-of-time', 'postponed'] as const)(
  'a sweep that ends as %s, without an error, is counted as unfinished',
  (outcome) => {
    expect(measured(outcome)).toMatchObject({ SweepsUnfinished: 1 });
    expect(measured(outcome)).not.toHaveProperty('SuccessfulSweeps');
  },
);

test.each(['baseline', 'quiet', 'explained', 'published'] as const)(
  'a sweep that ends as %s is counted as successful',
  (outcome) => {
    expect(measured(outcome)).toMatchObject({ SuccessfulSweeps: 1 });
    expect(measured(outcome)).not.toHaveProperty('SweepsUnfinished');
  },
);

test('a sweep that refuses a listing is counted as that alone', () => {
  expect(measured('refused')).toMatchObject({ ListingsRefused: 1 });
  expect(measured('refused')).not.toHaveProperty('SweepsUnfinished');
});
