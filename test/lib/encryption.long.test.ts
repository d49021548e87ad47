import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { deploy, everything, fullest } from './deploy.ts';

const arn = 'arn:aws:kms:eu-west-2:123456789012:key/11111111-2222-3333-4444-555555555555';

/** The property that names the key, by type of resource. */
const keyProperties = {
  'AWS::DynamoDB::Table': 'KMSMasterKeyId',
  'AWS::Lambda::Function': 'KmsKeyArn',
  'AWS::Logs::LogGroup': 'KmsKeyId',
  'AWS::SNS::Topic': 'KmsMasterKeyId',
  'AWS::SQS::Queue': 'KmsMasterKeyId',
  'AWS::SecretsManager::Secret': 'KmsKeyId',
} as const;

/** The key of each resource that can have one, by logical id. */
const keysOf = (template: Template): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(keyProperties).flatMap(([type, name]) =>
      Object.entries(template.findResources(type)).map(([id, { Properties }]): [string, unknown] => [
        id,
        Properties[name] ?? Properties.SSESpecification?.[name],
      ]),
    ),
  );

test('without the setting, only the topics have a customer key', () => {
  const template = deploy(everything);
  const withKey = [...keysOf(template)].filter(([, key]) => key !== undefined).map(([id]) => id);
  expect(withKey.sort()).toEqual(Object.keys(template.findResources('AWS::SNS::Topic')).sort());
});

test('your own key encrypts everything, and the stack makes none', () => {
  const template = deploy({ ...everything, key: arn });
  expect(template.findResources('AWS::KMS::Key')).toEqual({});
  expect([...new Set(keysOf(template).values())]).toEqual([arn]);
});

describe('a key that the stack makes', () => {
  const template = deploy(fullest);
  const [id = ''] = Object.keys(template.findResources('AWS::KMS::Key'));

  test('encrypts everything', () => {
    template.resourceCountIs('AWS::KMS::Key', 1);
    const keys = keysOf(template);
    expect(keys.size).toBeGreaterThan(18);
    expect([...new Set([...keys.values()].map((key) => JSON.stringify(key)))]).toEqual([
      JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] }),
    ]);
  });

  test('encrypts the buckets of feeds and export, and not that of the relay, which is public', () => {
    const buckets = Object.entries(template.findResources('AWS::S3::Bucket'));
    expect(buckets).toHaveLength(3);
    for (const [name, { Properties }] of buckets) {
      if (name.includes('Relay')) {
        expect(JSON.stringify(Properties.BucketEncryption)).toContain('"AES256"');
        continue;
      }
      expect(Properties.BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
        expect.objectContaining({
          ServerSideEncryptionByDefault: {
            SSEAlgorithm: 'aws:kms',
            KMSMasterKeyID: { 'Fn::GetAtt': [id, 'Arn'] },
          },
        }),
      ]);
    }
  });

  test('is rotated, and stays when the stack is destroyed, as the table does', () => {
    template.hasResource('AWS::KMS::Key', {
      Properties: { EnableKeyRotation: true },
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test.each([
    [
      'EncryptLogs',
      'kms:EncryptionContext:aws:logs:arn',
      [
        { 'Fn::Join': ['', Match.arrayWith([':log-group:/aws/lambda/panels-test-*'])] },
        { 'Fn::Join': ['', Match.arrayWith([':log-group:/aws/kinesisfirehose/panels-test-*'])] },
      ],
    ],
    ['EncryptUndelivered', 'aws:SourceArn', { 'Fn::Join': ['', Match.arrayWith([':panels-test-*'])] }],
  ])('may be used by a service only for this deployment: %s', (Sid, condition, arns) => {
    template.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid,
            Condition: Match.objectLike({
              ArnLike: { [condition]: arns },
            }),
          }),
        ]),
      },
    });
  });
});

test('docs/policies/key.json is the policy that your own key needs', () => {
  const text = JSON.stringify(
    Object.values(deploy(fullest).findResources('AWS::KMS::Key')).flatMap(({ Properties }) =>
      Properties.KeyPolicy.Statement.filter(({ Sid }: { Sid?: string }) => Sid !== undefined),
    ),
    (_key, value: unknown) => {
      const { 'Fn::Join': join, Ref } = Object(value);
      if (Array.isArray(join)) return join[1].map((part: unknown) => named(part)).join(join[0]);
      return Ref === undefined ? value : named(value);
    },
  );
  const made: { Sid: string }[] = JSON.parse(text.replaceAll('panels-test', '<prefix>'));
  const shown: { Sid: string }[] = JSON.parse(readFileSync('docs/policies/key.json', 'utf8'));
  const inOrder = (statements: { Sid: string }[]) =>
    statements.toSorted((a, b) => a.Sid.localeCompare(b.Sid));
  expect(inOrder(shown)).toEqual(inOrder(made));
});

/** A part of a joined text, with what AWS fills in named as the page names it. */
function named(part: unknown): string {
  if (typeof part === 'string') return part;
  const names: Readonly<Record<string, string>> = {
    'AWS::AccountId': '<account>',
    'AWS::Partition': 'aws',
    'AWS::Region': '<region>',
  };
  return names[Object(part).Ref] ?? String(Object(part).Ref);
}
