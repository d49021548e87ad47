import { describe, expect, test } from 'vitest';
import { measure } from '../../lambdas/poll/report.ts';
import { measureProof, measureSweep } from '../../lambdas/reconcile/measure-sweep.ts';
import { createSweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import { type Metrics, metrics } from '../../lambdas/run/emf.ts';
import { quietProof, quietReport } from '../poll/quiet-report.ts';

const traffic = { requests: 1, retries: 0, throttled: 0, bytes: 0 };
/** The metrics that CloudWatch charges for a run, by name. */
function charged(run: (metrics: Metrics) => void): readonly string[] {
  const names: string[] = [];
  const write = (line: string): void => {
    const { _aws } = JSON.parse(line) as {
      readonly _aws?: { readonly CloudWatchMetrics: readonly { readonly Metrics: { Name: string }[] }[] };
    };
    for (const { Metrics } of _aws?.CloudWatchMetrics ?? []) names.push(...Metrics.map(({ Name }) => Name));
  };
  run(metrics(write, () => 0, { namespace: 'Notifier/test', catalogue: 'uk' }));
  return names;
}

test('a run of a catalogue that stopped serving states is counted by the metric of versions that are unproven for a day', () => {
  expect(charged((own) => measureProof(own, { ...quietProof, statesOff: true }, traffic))).toEqual([
    'VersionsUnprovenForADay',
  ]);
});

/** CloudWatch charges a metric for each hour in which it is written: a quiet deployment pays for what these write. */
describe('a quiet run', () => {
  const poll = (credentialDays: number | null) => (own: Metrics) =>
    measure(own, quietReport, { tokenRequests: 0, traffic, remaining: 1, credentialDays });

  test.each([
    ['a poll of an open catalogue', poll(null), ['ActivitiesRead']],
    ['a poll by a credential with a last day', poll(300), ['ActivitiesRead', 'CredentialDaysLeft']],
    [
      'a sweep',
      (own: Metrics) =>
        measureSweep(own, createSweepReport().end('quiet'), { traffic, provenByStates: true }),
      [],
    ],
    ['a run that proves versions', (own: Metrics) => measureProof(own, quietProof, traffic), []],
  ])('that is %s writes the metrics that the costs count, and no other', (_what, run, expected) => {
    expect(charged(run)).toEqual(expected);
  });
});
