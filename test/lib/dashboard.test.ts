import { describe, expect, test } from 'vitest';
import { metricList } from '../../lambdas/run/metric-names.ts';
import { deploy, everything } from './deploy.ts';

const [board] = Object.values(
  deploy({ ...everything, dashboard: true }).findResources('AWS::CloudWatch::Dashboard'),
);
const body = JSON.stringify(board?.Properties.DashboardBody).replaceAll('\\', '');

test('there is no dashboard unless the settings ask for one', () => {
  expect(deploy(everything).findResources('AWS::CloudWatch::Dashboard')).toEqual({});
});

describe('the dashboard', () => {
  test('has the name of the deployment', () => {
    expect(board?.Properties.DashboardName).toBe('panels-test');
  });

  const ofDeployments = new Set<string>(['OldestUnsentSeconds', 'MailAddressesGone', 'PageCopyPercent']);
  const ofCatalogues = metricList.filter(({ name }) => !ofDeployments.has(name));
  test.each(ofCatalogues)('draws $name of every catalogue, from its log', ({ name }) => {
    expect(body.match(new RegExp(`(?:sum|min|max)\\(${name}\\)`, 'g'))).toHaveLength(3);
  });

  test('draws events by type', () => {
    expect(body).toContain('stats sum(EventsOfType) as events by Type');
  });

  test('shows the state of the alarms and the depth of the dead letters', () => {
    expect(body).toContain('"type":"alarm"');
    expect(body).toContain(':alarm:panels-test-uk-no-successful-poll');
    expect(body).toContain(':alarm:panels-test-failed-runs');
    expect(body).toContain('ApproximateNumberOfMessagesVisible');
  });
});
