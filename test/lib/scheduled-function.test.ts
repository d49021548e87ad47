import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { pollSettings, readEnvironment } from '../../lambdas/functions/settings.ts';
import { deploy, everything, uk } from './deploy.ts';

const template = deploy(everything);

const only = (type: string, properties: object): string => {
  const found = Object.keys(template.findResources(type, { Properties: properties }));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};
const poll = (catalogue: string): string =>
  only('AWS::Lambda::Function', { FunctionName: `panels-test-poll-${catalogue}` });
const queueArn = (name: string): object => ({
  'Fn::GetAtt': [only('AWS::SQS::Queue', { QueueName: `panels-test-${name}` }), 'Arn'],
});

describe.each(['uk', 'australia', 'closed'])('poll of %s', (catalogue) => {
  test('runs on Node 24, arm64, and reserves nothing of the account', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `panels-test-poll-${catalogue}`,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      ReservedConcurrentExecutions: Match.absent(),
    });
  });

  test('keeps one execution of the account where the settings ask for it', () => {
    deploy({ ...everything, reserveExecutions: true }).hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `panels-test-poll-${catalogue}`,
      ReservedConcurrentExecutions: 1,
    });
  });

  test('has the memory and timeout that its job states', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `panels-test-poll-${catalogue}`,
      MemorySize: 1024,
      Timeout: 300,
    });
  });

  test('logs as JSON, kept as long as the settings say', () => {
    const name = `/aws/lambda/panels-test-poll-${catalogue}`;
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `panels-test-poll-${catalogue}`,
      LoggingConfig: {
        LogFormat: 'JSON',
        LogGroup: { Ref: only('AWS::Logs::LogGroup', { LogGroupName: name }) },
      },
    });
    template.hasResourceProperties('AWS::Logs::LogGroup', { LogGroupName: name, RetentionInDays: 90 });
  });

  test('keeps the application’s INFO lines, because they contain the metrics', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `panels-test-poll-${catalogue}`,
      LoggingConfig: { ApplicationLogLevel: 'INFO' },
    });
  });

  test('repeats a failed run once, then puts it into the queue of failed runs', () => {
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: poll(catalogue) },
      Qualifier: '$LATEST',
      MaximumRetryAttempts: 1,
      DestinationConfig: { OnFailure: { Destination: queueArn('failed-runs') } },
    });
  });
});

describe('schedule', () => {
  test.each([
    { catalogue: 'uk', rate: 'rate(5 minutes)', window: 1, age: 300 },
    { catalogue: 'australia', rate: 'rate(15 minutes)', window: 3, age: 900 },
  ])('$catalogue: $rate, at any moment of $window min', ({ catalogue, rate, window, age }) => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      Name: `panels-test-poll-${catalogue}`,
      ScheduleExpression: rate,
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: window },
      Target: { RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: age } },
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: poll(catalogue) },
      MaximumEventAgeInSeconds: age,
    });
  });

  test('has no window where a minute leaves no room for one', () => {
    const template = deploy({ catalogues: { uk: { ...uk, pollEveryMinutes: 1 } } });
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { RetryPolicy: { MaximumEventAgeInSeconds: 60 } },
    });
  });

  test('has the window that the settings say', () => {
    const template = deploy({ catalogues: { uk: { ...uk, pollEveryMinutes: 30, startWithinMinutes: 20 } } });
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 20 },
    });
  });

  test('is made after its group', () => {
    const group = only('AWS::Scheduler::ScheduleGroup', { Name: 'panels-test' });
    template.allResources('AWS::Scheduler::Schedule', { DependsOn: Match.arrayWith([group]) });
  });

  test('puts a start that failed into the queue of missed runs', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      Name: 'panels-test-poll-uk',
      Target: {
        Arn: { 'Fn::GetAtt': [poll('uk'), 'Arn'] },
        DeadLetterConfig: { Arn: queueArn('missed-runs') },
      },
    });
  });

  test('lets only the scheduler assume its role, for this deployment’s schedules', () => {
    template.hasResourceProperties('AWS::IAM::Role', {
      Description: 'Starts panels-test-poll-uk on its schedule',
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: {
              StringEquals: {
                'aws:SourceAccount': { Ref: 'AWS::AccountId' },
                'aws:SourceArn': Match.objectLike({
                  'Fn::Join': ['', Match.arrayWith([':schedule-group/panels-test'])],
                }),
              },
            },
          }),
        ],
      },
    });
  });
});

describe('environment', () => {
  /** The environment as the function would see it, with made-up values for what AWS fills in. */
  const environment = (catalogue: string): Record<string, string> => {
    const { Properties } = template.findResources('AWS::Lambda::Function')[poll(catalogue)] ?? {};
    const filled = (value: unknown): string => {
      if (typeof value === 'string') return value;
      const { 'Fn::Join': join, Ref } = value as { 'Fn::Join'?: [string, unknown[]]; Ref?: string };
      return join ? join[1].map(filled).join(join[0]) : `arn:made-up:${Ref}`;
    };
    return Object.fromEntries(
      Object.entries(Properties.Environment.Variables).map(([key, value]) => [key, filled(value)]),
    );
  };

  test.each(['uk', 'australia', 'closed'])('of %s satisfies the function that reads it', (catalogue) => {
    const settings = readEnvironment(pollSettings, environment(catalogue));
    expect(settings.CATALOGUE_NAME).toBe(catalogue);
    expect(Object.keys(settings.TOPIC_ARNS).sort()).toEqual([...topics].sort());
  });

  test('states the address of an open catalogue and nothing about access', () => {
    const { TOPIC_ARNS: _, TABLE_NAME: __, HISTORY_TABLE_NAME: ___, ...stated } = environment('uk');
    expect(stated).toEqual({
      CATALOGUE_NAME: 'uk',
      CATALOGUE_URL: 'https://panelapp.example.org/api/v1/',
      ACCESS: 'none',
      OVERLAP_MINUTES: '15',
      METRICS_NAMESPACE: 'panels-test',
      PANEL_STATES: '{"secondsBetween":10,"requestsPerDay":2000,"requestsPerWeek":7000}',
      SHRUNKEN_LOG_PERCENT: '10',
    });
  });

  test('states which secret contains a fixed header, and its last day', () => {
    expect(environment('australia')).toMatchObject({
      ACCESS: 'header',
      SECRET_ID: expect.stringContaining('arn:made-up:'),
      CREDENTIAL_EXPIRES: '2027-03-31',
      OVERLAP_MINUTES: '60',
    });
  });

  test('states where client credentials are exchanged for a token, and where the first poll starts', () => {
    expect(environment('closed')).toMatchObject({
      ACCESS: 'client-credentials',
      SECRET_ID: 'arn:aws:secretsmanager:eu-west-2:123456789012:secret:closed-AbCdEf',
      AUTH_URL: 'https://login.example.org',
      TENANT_ID: '11111111-2222-3333-4444-555555555555',
      AUTH_RESOURCE: 'https://api.example.org',
      START_FROM: '2026-11-01T00:00:00Z',
    });
  });
});
