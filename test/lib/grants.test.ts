import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { awsFacts } from '../templates/aws-facts.ts';
import { deploy, everything, fullest } from './deploy.ts';
import { lackingRights } from './proofs/deployer.ts';
import { resolvedStack } from './proofs/resolved-stack.ts';

const template = deploy(everything);

const oneOrMore = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema.transform((one) => [one]), z.array(schema)]);
const statementSchema = z.object({
  Sid: z.string(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore(z.string()),
  Resource: oneOrMore(z.unknown()),
  Condition: z.unknown().optional(),
});
const roleSchema = z.object({
  Description: z.string(),
  ManagedPolicyArns: z.undefined().optional(),
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statementSchema) }) })),
});

/** Every statement of every role of the stack. */
const grantsOf = (stack: Template) =>
  Object.values(stack.findResources('AWS::IAM::Role')).flatMap(({ Properties }) => {
    const { Description, Policies } = roleSchema.parse(Properties);
    return Policies.flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.map((statement) => ({ role: Description, sid: statement.Sid, statement })),
    );
  });
const grants = grantsOf(template);
const known = new Set(grants.map(({ sid }) => sid));
/** With the settings that add rights, the statements that are new. */
const moreGrants = grantsOf(deploy(fullest)).filter(({ sid }) => !known.has(sid));
/**
 * EC2 has no resource that names a network interface before it is made, and S3 none that names an object before. To name
 * each subscription's topic would be too long for a role.
 */
const needWildcard = [
  ...['ConnectToNetwork', 'DenyNetworkToCode', 'WriteExport'],
  ...['PublishMessages', 'CheckMailAddresses', 'WriteFeeds', 'WriteRelay'],
];

/** The actions of each statement, for readers who check them. */
const statedRights = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync('docs/policies/rights.json', 'utf8')));

test('the roles have only the rights of their own statements', () => {
  expect(template.findResources('AWS::IAM::Policy')).toEqual({});
  expect(template.findResources('AWS::IAM::ManagedPolicy')).toEqual({});
  expect(grants.length).toBeGreaterThan(15);
});

describe.each([...grants, ...moreGrants])('$role: $sid', ({ sid, statement }) => {
  test('names its actions and resources without a wildcard', () => {
    const named = needWildcard.includes(sid) ? [statement.Action] : [statement.Action, statement.Resource];
    expect(JSON.stringify(named)).not.toContain('*');
    expect(statement.Resource.length).toBeGreaterThan(0);
  });

  test('has the actions of docs/policies/rights.json, and a line in docs/permissions.md', () => {
    expect(statedRights[sid]).toEqual([...statement.Action].sort());
    const lines = readFileSync('docs/permissions.md', 'utf8').split('\n');
    const [line = ''] = lines.filter((each) => each.startsWith(`- \`${sid}\``));
    expect(line.length).toBeGreaterThan(sid.length + 10);
  });
});

test('docs/policies/rights.json and docs/permissions.md have the same statements, and none that no role has', () => {
  const page = readFileSync('docs/permissions.md', 'utf8').split('## People who use')[0] ?? '';
  const explained = [...page.matchAll(/^- `([A-Z]\w+)`/gm)].map(([, sid = '']) => sid);
  expect(explained.toSorted()).toEqual(Object.keys(statedRights).toSorted());
  const sids = new Set([...grants, ...moreGrants].map(({ sid }) => sid));
  // Of the secrets in these stacks, the key of the catalogue's alone is one of your own.
  const ofOwnSecrets = ['DecryptChannels', 'DecryptClientSecret', 'DecryptSigningKey'];
  expect(explained.filter((sid) => !sids.has(sid)).toSorted()).toEqual(ofOwnSecrets);
});

describe('the poll function', () => {
  const rightsOf = (name: string) =>
    grants.filter(({ role }) => role === `Execution role of panels-test-poll-${name}`).map(({ sid }) => sid);
  const everywhere = [
    'ReadAndWriteState',
    'ReadAndWriteHistory',
    'PublishEvents',
    'EncryptMessages',
    'WriteLog',
    'KeepFailedRuns',
  ];

  test('may read and write only the items of its own catalogue', () => {
    const [statement] = grants.filter(
      ({ role, sid }) => role === 'Execution role of panels-test-poll-uk' && sid === 'ReadAndWriteState',
    );
    expect(statement?.statement.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['catalogue#uk', 'catalogue#uk#*'] },
    });
  });

  test('of an open catalogue may read no secret', () => {
    expect(rightsOf('uk').sort()).toEqual([...everywhere].sort());
  });

  test('of a catalogue with a secret of the stack may read that secret', () => {
    expect(rightsOf('australia').sort()).toEqual([...everywhere, 'ReadCredential'].sort());
    const [secret] = Object.keys(template.findResources('AWS::SecretsManager::Secret'));
    template.hasResourceProperties('AWS::IAM::Role', {
      Description: 'Execution role of panels-test-poll-australia',
      Policies: [
        {
          PolicyDocument: {
            Statement: Match.arrayWith([
              Match.objectLike({ Action: 'secretsmanager:GetSecretValue', Resource: { Ref: secret } }),
            ]),
          },
        },
      ],
    });
  });

  test('of proofs may read what is kept of the catalogues that are compared, and no more of them', () => {
    const rights = grants.filter(
      ({ role, sid }) => role.includes('panels-test-') && sid.startsWith('ReadCompared'),
    );
    expect([...new Set(rights.map(({ role }) => role))]).toEqual([
      'Execution role of panels-test-prove-australia',
    ]);
    const partitions = rights.flatMap(({ statement }) => JSON.stringify(statement.Condition));
    expect(partitions).toEqual([expect.stringMatching(/uk.*closed/), expect.stringMatching(/uk.*closed/)]);
    expect(JSON.stringify(rights.map(({ statement }) => statement.Action))).not.toMatch(
      /Put|Delete|Update|Write/,
    );
    template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'panels-test-prove-australia',
      Layers: Match.anyValue(),
      Environment: {
        Variables: Match.objectLike({
          COMPARED_WITH: '[{"catalogue":"uk"},{"catalogue":"closed","pairs":"/opt/pairs/closed.csv"}]',
        }),
      },
    });
  });

  test('of a catalogue with your own secret may read that secret, and decrypt it through Secrets Manager only', () => {
    expect(rightsOf('closed').sort()).toEqual([...everywhere, 'ReadCredential', 'DecryptCredential'].sort());
    template.hasResourceProperties('AWS::IAM::Role', {
      Description: 'Execution role of panels-test-poll-closed',
      Policies: [
        {
          PolicyDocument: {
            Statement: Match.arrayWith([
              Match.objectLike({
                Resource: 'arn:aws:secretsmanager:eu-west-2:123456789012:secret:closed-AbCdEf',
              }),
              Match.objectLike({
                Action: 'kms:Decrypt',
                Condition: {
                  StringEquals: {
                    'kms:ViaService': Match.objectLike({
                      'Fn::Join': ['', Match.arrayWith(['secretsmanager.'])],
                    }),
                  },
                },
              }),
            ]),
          },
        },
      ],
    });
  });
});

test('a key for everything and a network add the rights that they need', () => {
  expect([...new Set(moreGrants.map(({ sid }) => sid))].sort()).toEqual([
    'ConnectToNetwork',
    'DecryptEnvironment',
    'DecryptQueue',
    'DenyNetworkToCode',
    'EncryptExport',
    'EncryptFeeds',
    'EncryptMissedRuns',
    'UseKey',
  ]);
});

describe('a secret', () => {
  test('of the stack is retained when the stack is destroyed, and named in the outputs', () => {
    const [secret] = Object.keys(template.findResources('AWS::SecretsManager::Secret'));
    template.hasResource('AWS::SecretsManager::Secret', { DeletionPolicy: 'Retain' });
    // A secret without a value could not be read; the guides say that it begins with a random text.
    template.hasResourceProperties('AWS::SecretsManager::Secret', { GenerateSecretString: {} });
    template.hasOutput('SecretAustralia', { Value: { Ref: secret } });
  });

  test('is made for the channels, not for an open catalogue or for one that refers to a secret', () => {
    const described = Object.values(template.findResources('AWS::SecretsManager::Secret')).map(
      ({ Properties }) => Properties.Description,
    );
    expect(described).toEqual([
      expect.stringContaining('australia'),
      expect.stringContaining('of the channels'),
      expect.stringContaining('of the page at the identity provider'),
      expect.stringContaining('Seals sign-ins'),
      expect.stringContaining('signs the relay'),
    ]);
  });
});

describe('the two policies for deployments in docs/policies', () => {
  const policySchema = z.object({
    Statement: z.array(z.object({ Action: oneOrMore(z.string()), Resource: oneOrMore(z.string()) })),
  });
  const policies = ['functions', 'data'].map((part): unknown =>
    JSON.parse(readFileSync(`docs/policies/deployer-${part}.json`, 'utf8')),
  );
  const allowed = policies.flatMap((policy) =>
    policySchema.parse(policy).Statement.flatMap(({ Action }) => Action),
  );

  test('leave room within the 6,144 characters of a managed policy, also for a long name', () => {
    for (const policy of policies) {
      const named = JSON.stringify(policy)
        .replaceAll('<account>', '123456789012')
        .replaceAll('gene-panel-notifier', 'a-name-of-22-characters');
      expect(named.length).toBeLessThan(5_600);
    }
  });

  test('have every right that AWS publishes for the resource types of the stack', () => {
    expect(allowed.length).toBeGreaterThan(100);
    expect(lackingRights(resolvedStack(deploy(fullest), 'panels-test'), awsFacts(), allowed)).toEqual([]);
  });

  test.each([
    'dynamodb:UpdateTimeToLive',
    'ec2:DeleteTags',
    'iam:ListAttachedRolePolicies',
    'iam:ListRolePolicies',
    'iam:UpdateRoleDescription',
    'logs:AssociateKmsKey',
    'sns:GetDataProtectionPolicy',
  ])('is found to lack %s where it does not have it', (right) => {
    const others = allowed.filter((action) => action !== right);
    expect(lackingRights(resolvedStack(deploy(fullest), 'panels-test'), awsFacts(), others).join()).toContain(
      right,
    );
  });
});
