import { expect, test } from 'vitest';
import { deploy, uk } from '../lib/deploy.ts';
import { readPage } from './pages.ts';

const subscriptions: Parameters<typeof deploy>[0]['subscriptions'] = {
  mail: { channels: [{ kind: 'email', to: 'genetics@example.org' }] },
};
const credential = { ...uk, access: { kind: 'header', credentialExpires: '2027-03-31' } } as const;

/** CloudWatch charges an alarm for each metric that it reads. */
function alarmMetrics(catalogues: Parameters<typeof deploy>[0]['catalogues']): number {
  const alarms = Object.values(deploy({ catalogues, subscriptions }).findResources('AWS::CloudWatch::Alarm'));
  const metrics: readonly object[] = alarms.flatMap(({ Properties }) =>
    (Properties.Metrics ?? [{ MetricStat: {} }]).filter((metric: object) => 'MetricStat' in metric),
  );
  return metrics.length;
}

test('the costs count the metrics of the alarms in the template', () => {
  const one = alarmMetrics({ uk });
  const catalogue = alarmMetrics({ uk, other: uk }) - one;
  const refused = alarmMetrics({ uk: credential }) - one;
  expect(readPage('docs/guides/costs.md').prose).toContain(
    `${catalogue} for a catalogue, ${refused} more with a credential that states its last day, ${one - catalogue} for queues and messages`,
  );
});
