import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alarmKind } from '../../lambdas/run/alarm-kinds.ts';
import { jobNames, jobs } from '../../lib/catalogue-reader.ts';
import { deploy, uk } from './deploy.ts';

const template = deploy({ catalogues: { uk } });

describe.each(jobNames)('the job %s', (name) => {
  test('has an alarm that is raised when its runs are missing', () => {
    const kind = alarmKind(jobs[name].alarm);
    expect(kind.scope).toBe('catalogue');
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `panels-test-uk-${jobs[name].alarm}`,
      TreatMissingData: 'breaching',
    });
  });

  test('leaves failed and missed runs in the dead-letter queues', () => {
    const [id] = Object.keys(
      template.findResources('AWS::Lambda::Function', {
        Properties: { FunctionName: `panels-test-${name}-uk` },
      }),
    );
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', { FunctionName: { Ref: id } });
    template.hasResourceProperties('AWS::Scheduler::Schedule', { Name: `panels-test-${name}-uk` });
  });

  test('is counted on the costs page', () => {
    expect(readFileSync('docs/guides/costs.md', 'utf8')).toContain(
      `${name}s × ${jobs[name].quietRun.seconds} s`,
    );
  });
});
