import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { deploy, everything, fullest, uk } from './deploy.ts';

const template = deploy(everything);
const [stream = ''] = Object.keys(template.findResources('AWS::KinesisFirehose::DeliveryStream'));
const [queue] = Object.keys(
  template.findResources('AWS::SQS::Queue', { Properties: { QueueName: 'panels-test-undelivered' } }),
);

describe('the export', () => {
  test('is there only where the settings ask for it', () => {
    const without = deploy({ catalogues: { uk } });
    without.resourceCountIs('AWS::KinesisFirehose::DeliveryStream', 0);
    without.resourceCountIs('AWS::S3::Bucket', 0);
    deploy({ catalogues: { uk }, export: {} }).resourceCountIs('AWS::KinesisFirehose::DeliveryStream', 1);
  });

  test('gets every event of every topic as it was published, and keeps what SNS cannot hand on', () => {
    const subscribed = Object.values(
      template.findResources('AWS::SNS::Subscription', { Properties: { Protocol: 'firehose' } }),
    ).map(({ Properties }) => Properties);
    const families = Object.entries(template.findResources('AWS::SNS::Topic')).filter(([, { Properties }]) =>
      topics.some((topic) => Properties.TopicName === `panels-test-${topic}`),
    );
    expect(subscribed.map(({ TopicArn }) => TopicArn.Ref).sort()).toEqual(families.map(([id]) => id).sort());
    for (const properties of subscribed) {
      expect(properties).toEqual({
        Protocol: 'firehose',
        TopicArn: properties.TopicArn,
        Endpoint: { 'Fn::GetAtt': [stream, 'Arn'] },
        RawMessageDelivery: true,
        SubscriptionRoleArn: expect.anything(),
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': [queue, 'Arn'] } },
      });
    }
  });

  test('writes one event a line, in a folder for each day, and failures apart', () => {
    template.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      DeliveryStreamType: 'DirectPut',
      ExtendedS3DestinationConfiguration: {
        Prefix: 'events/dt=!{timestamp:yyyy-MM-dd}/',
        ErrorOutputPrefix: 'failed/!{firehose:error-output-type}/dt=!{timestamp:yyyy-MM-dd}/',
        CompressionFormat: 'GZIP',
        FileExtension: '.ndjson.gz',
        BufferingHints: { IntervalInSeconds: 300 },
        // SNS ends each message with a line break; a delimiter of Firehose would add a blank line.
        ProcessingConfiguration: Match.absent(),
        CloudWatchLoggingOptions: { Enabled: true },
      },
    });
    const own = deploy({ catalogues: { uk }, export: { everyMinutes: 15 } });
    own.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      ExtendedS3DestinationConfiguration: { BufferingHints: { IntervalInSeconds: 900 } },
    });
  });

  test('keeps its files for ever, or for the days of the settings', () => {
    const kept = (Expiration: unknown) => ({
      LifecycleConfiguration: {
        Rules: [Match.objectLike({ Status: 'Enabled', ExpirationInDays: Expiration })],
      },
      VersioningConfiguration: { Status: 'Enabled' },
    });
    template.hasResourceProperties('AWS::S3::Bucket', kept(3650));
    deploy({ catalogues: { uk }, export: {} }).hasResourceProperties('AWS::S3::Bucket', kept(Match.absent()));
  });

  test('has a bucket that stays, closed to the public and to requests without TLS', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      },
    });
    const [bucket = ''] = Object.keys(
      template.findResources('AWS::S3::Bucket', {
        Properties: { VersioningConfiguration: { Status: 'Enabled' } },
      }),
    );
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      Bucket: { Ref: bucket },
      PolicyDocument: {
        Statement: [
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ],
      },
    });
    template.hasOutput('ExportBucket', { Value: { Ref: bucket } });
  });

  test('is encrypted by AWS, or by the key of the settings', () => {
    template.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' },
    });
    const keyed = deploy(fullest);
    const [key] = Object.keys(keyed.findResources('AWS::KMS::Key'));
    keyed.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      DeliveryStreamEncryptionConfigurationInput: {
        KeyType: 'CUSTOMER_MANAGED_CMK',
        KeyARN: { 'Fn::GetAtt': [key, 'Arn'] },
      },
    });
    keyed.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: {
              SSEAlgorithm: 'aws:kms',
              KMSMasterKeyID: { 'Fn::GetAtt': [key, 'Arn'] },
            },
          },
        ],
      },
    });
  });

  test('raises an alarm when events wait for more than an hour', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'panels-test-export-late',
      Namespace: 'AWS/Firehose',
      MetricName: 'DeliveryToS3.DataFreshness',
      Statistic: 'Maximum',
      Threshold: 3600,
      Dimensions: [{ Name: 'DeliveryStreamName', Value: { Ref: stream } }],
    });
  });

  test('is written where the table of the example reads', () => {
    const guide = readFileSync('examples/athena.sql', 'utf8');
    expect(guide).toContain("LOCATION 's3://<ExportBucket>/events/'");
    expect(guide).toMatch(/'storage\.location\.template' = 's3:\/\/<ExportBucket>\/events\/dt=\$\{dt\}\/'/);
    expect(guide).toContain("'projection.dt.format' = 'yyyy-MM-dd'");
  });
});
