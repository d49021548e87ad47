import { describe, expect, test } from 'vitest';
import { metricList } from '../../lambdas/metrics/names.ts';
import { deploy, everything } from './deploy.ts';

const [board] = Object.values(deploy(everything).findResources('AWS::CloudWatch::Dashboard'));
const body = JSON.stringify(board?.Properties.DashboardBody).replaceAll('\\', '');

describe('the dashboard', () => {
  test('has the name of the deployment', () => {
    expect(board?.Properties.DashboardName).toBe('panels-test');
  });

  test.each(metricList)('draws $name of every catalogue', ({ name }) => {
    for (const catalogue of ['uk', 'australia', 'closed']) {
      expect(body).toContain(`"panels-test","${name}","Catalogue","${catalogue}"`);
    }
  });

  test('draws events by type', () => {
    expect(body).toContain('SEARCH(');
    expect(body).toContain('"panels-test",Catalogue,Type');
  });

  test('shows the state of the alarms and the depth of the dead letters', () => {
    expect(body).toContain('"type":"alarm"');
    expect(body).toContain(':alarm:panels-test-uk-no-successful-poll');
    expect(body).toContain(':alarm:panels-test-failed-runs');
    expect(body).toContain('ApproximateNumberOfMessagesVisible');
  });
});
