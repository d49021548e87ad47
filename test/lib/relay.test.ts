import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { relaySettings } from '../../lambdas/functions/settings.ts';
import { deploy, everything, uk } from './deploy.ts';

const relay = { address: 'https://relay.example.org' } as const;
const closed = { ...uk, access: { kind: 'header' } } as const;
const template = deploy({ catalogues: { closed, uk, other: uk }, relay });

/** The statements of the function's role, by their names. */
const rights = new Map<string, { Action: unknown; Resource: unknown; Condition?: unknown }>(
  Object.values(template.findResources('AWS::IAM::Role'))
    .filter(({ Properties }) => Properties.Description === 'Execution role of panels-test-relay')
    .flatMap(({ Properties }) => Properties.Policies[0].PolicyDocument.Statement)
    .map((statement) => [statement.Sid, statement]),
);

describe('the relay of a stage', () => {
  test('is not made without the setting', () => {
    expect(JSON.stringify(deploy({ catalogues: { uk } }).toJSON())).not.toMatch(/relay/i);
  });

  test('is written each hour by one function for all open catalogues, with room for a whole tree', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'panels-test-relay',
      Timeout: 900,
      EphemeralStorage: { Size: 5120 },
    });
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      Name: 'panels-test-relay',
      ScheduleExpression: 'rate(1 hour)',
    });
    const [{ Properties = {} } = {}] = Object.values(
      template.findResources('AWS::Lambda::Function', { Properties: { FunctionName: 'panels-test-relay' } }),
    );
    const { Variables } = Properties.Environment;
    const written = Object.fromEntries(
      Object.entries(Variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    expect(relaySettings.parse(written)).toMatchObject({
      CATALOGUES: ['uk', 'other'],
      RELAY_ADDRESS: 'https://relay.example.org',
      RELAY_VERSIONS: true,
    });
    expect(Object.keys(written).sort()).toEqual(Object.keys(relaySettings.unwrap().shape).sort());
  });

  test('may read what is kept of its catalogues, and write a lease and files alone', () => {
    expect([...rights.keys()].sort()).toEqual(
      [
        ...['RelayState', 'KeepRelayLease', 'RelayHistory', 'ReadSigningKey', 'WriteRelay', 'ListRelay'],
        ...['KeepFailedRuns', 'WriteLog'],
      ].sort(),
    );
    const partitions = (sid: string): unknown => rights.get(sid)?.Condition;
    expect(partitions('RelayState')).toEqual({
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': [
          ...['catalogue#uk', 'catalogue#uk#*', 'catalogue#other', 'catalogue#other#*'],
        ],
      },
    });
    expect(partitions('KeepRelayLease')).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['catalogue#uk#lease'] },
    });
    expect(
      JSON.stringify([rights.get('RelayState')?.Action, rights.get('RelayHistory')?.Action]),
    ).not.toMatch(/Put|Update|Delete|Write/);
  });

  test('has a catalogue that needs a credential only where it is named', () => {
    const named = deploy({
      catalogues: { closed, uk },
      relay: { ...relay, catalogues: ['closed'] },
    });
    named.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'panels-test-relay',
      Environment: { Variables: Match.objectLike({ CATALOGUES: '["closed"]' }) },
    });
  });

  test('is read by the distribution of the settings alone', () => {
    const policies = (of: typeof template): string =>
      JSON.stringify(of.findResources('AWS::S3::BucketPolicy'));
    expect(policies(template)).not.toContain('Allow');
    const served = deploy(everything);
    served.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid: 'ServeByDistribution',
            Effect: 'Allow',
            Action: 's3:GetObject',
            Principal: { Service: 'cloudfront.amazonaws.com' },
            Condition: {
              StringEquals: {
                'aws:SourceArn': 'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7',
              },
            },
          }),
        ]),
      },
    });
    expect(policies(served).match(/"Allow"/g)).toHaveLength(1);
  });

  test('names its bucket and the secret of its key in the outputs', () => {
    template.hasOutput('RelayBucket', {});
    template.hasOutput('SecretRelay', {});
  });

  test('warns of runs that fail among others that succeed, and of runs that are missing', () => {
    const [Ref] = Object.keys(
      template.findResources('AWS::Lambda::Function', { Properties: { FunctionName: 'panels-test-relay' } }),
    );
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'panels-test-relay-stopped',
      MetricName: 'Errors',
      Statistic: 'Maximum',
      Period: 3600,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref } }],
    });
  });
});
