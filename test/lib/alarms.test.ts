import { readdirSync, readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { alarmIds } from '../../lambdas/run/alarm-kinds.ts';
import { metricList } from '../../lambdas/run/metric-names.ts';
import { deploy, everything, uk } from './deploy.ts';

const template = deploy(everything);

const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.object({ Ref: z.string() })),
  OKActions: z.array(z.object({ Ref: z.string() })),
  ComparisonOperator: z.string(),
  EvaluationPeriods: z.number(),
  Threshold: z.number(),
  TreatMissingData: z.string(),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Statistic: z.string().optional(),
  Period: z.number().optional(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).optional(),
  Metrics: z
    .array(
      z.object({
        Expression: z.string().optional(),
        MetricStat: z.object({ Period: z.number(), Metric: z.object({ MetricName: z.string() }) }).optional(),
      }),
    )
    .optional(),
});
const alarmsOf = (from = template) =>
  Object.values(from.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) =>
    alarmSchema.parse(Properties),
  );
const alarms = alarmsOf();
const alarm = (name: string, among = alarms) => {
  const found = among.find(({ AlarmName }) => AlarmName === `panels-test-${name}`);
  if (found === undefined) throw new Error(`No alarm is named ${name}`);
  return found;
};
const idOf = (name: string) => alarmIds.find((id) => name.endsWith(`-${id}`)) ?? name;

test('every kind of alarm is deployed', () => {
  expect([...new Set(alarms.map(({ AlarmName }) => idOf(AlarmName)))].sort()).toEqual([...alarmIds].sort());
});

describe.each(alarms)('$AlarmName', (raised) => {
  test('notifies the alarm topic when it is raised and when it ends', () => {
    const topics = template.findResources('AWS::SNS::Topic', {
      Properties: { TopicName: 'panels-test-alarms' },
    });
    expect(raised.AlarmActions.map(({ Ref }) => Ref)).toEqual(Object.keys(topics));
    expect(raised.OKActions.map(({ Ref }) => Ref)).toEqual(Object.keys(topics));
  });

  test('links to its heading in the runbook', () => {
    expect(raised.AlarmDescription).toContain(`https://wiki.example.org/runbook#${idOf(raised.AlarmName)}`);
  });

  test('evaluates no more time than CloudWatch allows', () => {
    const period = Math.max(
      raised.Period ?? 0,
      ...(raised.Metrics ?? []).map(({ MetricStat }) => MetricStat?.Period ?? 0),
    );
    expect(period).toBeGreaterThan(0);
    expect(period * raised.EvaluationPeriods).toBeLessThanOrEqual((period < 3600 ? 1 : 7) * 24 * 3600);
  });

  test('uses a metric that a function writes', () => {
    const written: string[] = metricList.flatMap((facts) => ('watched' in facts ? [facts.name] : []));
    const names = [
      raised.MetricName,
      ...(raised.Metrics ?? []).map(({ MetricStat }) => MetricStat?.Metric.MetricName),
    ];
    const known = [
      ...written,
      'Errors',
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesVisible',
      'DeliveryToS3.DataFreshness',
      '5xx',
    ];
    expect(names.filter((name) => name !== undefined && !known.includes(name))).toEqual([]);
  });
});

test.each(metricList)('a function writes the metric $name', ({ name }) => {
  const sources = readdirSync('lambdas', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && file !== 'metrics/names.ts')
    .map((file) => readFileSync(`lambdas/${file}`, 'utf8'));
  expect(sources.some((source) => source.includes(`'${name}'`))).toBe(true);
});

/** The metric and threshold of each alarm of one catalogue, with the default settings. */
describe.each([
  ['no-successful-poll', 'ActivitiesRead', 'SampleCount', 300, '< 1', 3],
  ['lag-growing', 'LagSeconds', 'Maximum', 300, '> 3600', 1],
  ['sweeps-failing', 'Errors', 'Minimum', 3600, '>= 1', 3],
  ['sweeps-unfinished', 'SweepsUnfinished', 'Sum', 3600, '>= 1', 3],
  ['proofs-failing', 'Errors', 'Minimum', 900, '>= 1', 6],
  ['feed-empty', 'LogEmpty', 'Sum', 3600, '>= 1', 1],
  ['feed-shrunken', 'LogShrunken', 'Sum', 3600, '>= 1', 1],
  ['feed-quiet', 'ActivitiesRead', 'Sum', 86400, '< 1', 7],
  ['volume-high', 'EventsPublished', 'Sum', 3600, '> 2000', 1],
  ['log-behind-mark', 'LogBehindMark', 'Sum', 3600, '>= 1', 1],
  ['rows-from-the-future', 'RowsFromTheFuture', 'Sum', 3600, '>= 1', 1],
  ['events-corrected', 'EventsCorrected', 'Sum', 3600, '>= 1', 1],
  ['rows-quarantined', 'Quarantined', 'Sum', 3600, '>= 1', 1],
  ['catalogue-throttling', 'CatalogueThrottled', 'Sum', 3600, '>= 3', 1],
] as const)('uk-%s', (id, MetricName, Statistic, Period, condition, periods) => {
  const [operator = '', threshold] = condition.split(' ');
  const operators: Readonly<Record<string, string>> = {
    '>=': 'GreaterThanOrEqualToThreshold',
    '>': 'GreaterThanThreshold',
    '<': 'LessThanThreshold',
  };

  test(`is raised by ${MetricName} ${condition}`, () => {
    expect(alarm(`uk-${id}`)).toMatchObject({
      ...{ MetricName, Statistic, Period },
      ComparisonOperator: operators[operator],
      Threshold: Number(threshold),
      EvaluationPeriods: periods,
    });
  });

  test('covers only this catalogue', () => {
    const { Dimensions } = alarm(`uk-${id}`);
    if (MetricName === 'Errors') {
      const job = id === 'sweeps-failing' ? 'sweep' : 'prove';
      const [Ref] = Object.keys(
        template.findResources('AWS::Lambda::Function', {
          Properties: { FunctionName: `panels-test-${job}-uk` },
        }),
      );
      expect(Dimensions).toEqual([{ Name: 'FunctionName', Value: { Ref } }]);
      return;
    }
    expect(Dimensions).toEqual([{ Name: 'Catalogue', Value: 'uk' }]);
    expect(alarm(`uk-${id}`).Namespace).toBe('panels-test');
  });
});

describe('a period without data', () => {
  test.each([
    'uk-no-successful-poll',
    'uk-sweeps-failing',
    'uk-proofs-failing',
    'messages-stopped',
    'relay-stopped',
  ])('raises %s, which expects a success', (id) => {
    expect(alarm(id).TreatMissingData).toBe('breaching');
  });

  test('raises no other alarm', () => {
    const others = alarms.filter(
      ({ AlarmName }) =>
        !/-(?:no-successful-poll|sweeps-failing|proofs-failing|(?:messages|relay)-stopped)$/.test(AlarmName),
    );
    expect([...new Set(others.map(({ TreatMissingData }) => TreatMissingData))]).toEqual(['notBreaching']);
  });
});

describe('alarms that compute', () => {
  test('unclassified-share: from three unclassified rows on', () => {
    expect(alarm('uk-unclassified-share')).toMatchObject({
      Threshold: 5,
      Metrics: [
        { Expression: 'IF(part >= 3, 100 * part / whole, 0)' },
        { MetricStat: { Metric: { MetricName: 'Unclassified' } } },
        { MetricStat: { Metric: { MetricName: 'ActivitiesRead' } } },
      ],
    });
  });
});

describe('a credential', () => {
  const names = alarms.map(({ AlarmName }) => AlarmName.replace('panels-test-', ''));

  test('has an alarm where the catalogue needs one', () => {
    expect(alarm('australia-credential-refused')).toMatchObject({
      MetricName: 'CredentialRefused',
      Threshold: 1,
    });
    expect(alarm('closed-credential-refused')).toMatchObject({
      MetricName: 'CredentialRefused',
      Threshold: 1,
    });
    expect(names).not.toContain('uk-credential-refused');
  });

  test('has an alarm before it expires where the settings state its last day', () => {
    expect(alarm('australia-credential-expiring')).toMatchObject({
      MetricName: 'CredentialDaysLeft',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 30,
    });
    expect(alarm('australia-credential-expiring').AlarmDescription).toContain('2027-03-31');
    expect(names).not.toContain('closed-credential-expiring');
  });
});

describe.each([
  ['missed-runs', 'missed-runs'],
  ['failed-runs', 'failed-runs'],
  ['undelivered-messages', 'undelivered'],
  ['unsent-messages', 'unsent'],
])('%s', (id, queue) => {
  test('is raised by the first message in its queue', () => {
    const [name] = Object.keys(
      template.findResources('AWS::SQS::Queue', { Properties: { QueueName: `panels-test-${queue}` } }),
    );
    expect(alarm(id)).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Statistic: 'Maximum',
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [name, 'QueueName'] } }],
    });
  });
});

describe('a threshold in the settings', () => {
  const limits = {
    silentPolls: 4,
    lagMinutes: 90,
    unclassifiedPercent: 2.5,
    shrunkenPercent: 20,
    eventsPerHour: 50,
    quietDays: 3,
    credentialDays: 60,
  };
  const tuned = alarmsOf(
    deploy({
      catalogues: {
        uk: { ...uk, access: { kind: 'header', credentialExpires: '2027-01-01' }, pollEveryMinutes: 10 },
      },
      alarms: { email: 'genomics-it@example.org', ...limits },
    }),
  );

  test.each([
    ['no-successful-poll', { EvaluationPeriods: 4, Period: 600 }],
    ['lag-growing', { Threshold: 90 * 60 }],
    ['unclassified-share', { Threshold: 2.5 }],
    ['volume-high', { Threshold: 50 }],
    ['feed-quiet', { EvaluationPeriods: 3 }],
    ['credential-expiring', { Threshold: 60 }],
  ])('changes %s', (id, expected) => {
    expect(alarm(`uk-${id}`, tuned)).toMatchObject(expected);
  });
});

test('the share of rows that may vanish is a setting of the poll, which compares each log with the one before', () => {
  deploy({
    catalogues: { uk },
    alarms: { email: 'a@example.org', shrunkenPercent: 25 },
  }).hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: 'panels-test-poll-uk',
    Environment: { Variables: Match.objectLike({ SHRUNKEN_LOG_PERCENT: '25' }) },
  });
});

describe('messages', () => {
  test('raise messages-late by the age of the oldest one', () => {
    expect(alarm('messages-late')).toMatchObject({
      Namespace: 'panels-test',
      MetricName: 'OldestUnsentSeconds',
      Statistic: 'Maximum',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 7200,
      Period: 300,
      EvaluationPeriods: 3,
    });
    expect(alarm('messages-late').Dimensions).toBeUndefined();
  });

  test('say in the mail of messages-late what to do where the settings no longer have the channel', () => {
    const { AlarmDescription } = alarm('messages-late');
    expect(AlarmDescription).toMatch(/settings no longer have the channel.*"messages move".*"messages drop"/);
  });

  test('raise messages-stopped by runs that fail among others that succeed, and by runs that are missing', () => {
    const [Ref] = Object.keys(
      template.findResources('AWS::Lambda::Function', { Properties: { FunctionName: 'panels-test-notify' } }),
    );
    expect(alarm('messages-stopped')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Statistic: 'Maximum',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      Period: 300,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref } }],
    });
  });
});

test('without an address for the runbook, an alarm names the file and the heading', () => {
  const withoutRunbook = deploy({ catalogues: { uk }, alarms: { email: 'genomics-it@example.org' } });
  const raised = alarm('uk-lag-growing', alarmsOf(withoutRunbook));
  expect(raised.AlarmDescription).toMatch(
    /What to do: run "gene-panel-notifier doctor", .*; "lag-growing" in docs\/runbook\.md has the others$/,
  );
});

test('the alarm address is subscribed, and undelivered messages are kept', () => {
  const [Ref] = Object.keys(
    template.findResources('AWS::SNS::Topic', { Properties: { TopicName: 'panels-test-alarms' } }),
  );
  const [queue] = Object.keys(
    template.findResources('AWS::SQS::Queue', { Properties: { QueueName: 'panels-test-undelivered' } }),
  );
  template.hasResourceProperties('AWS::SNS::Subscription', {
    TopicArn: { Ref },
    Protocol: 'email',
    Endpoint: 'genomics-it@example.org',
    RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': [queue, 'Arn'] } },
  });
});
