import * as z from 'zod';
import { historyIndexes, historyPartitions, partitionOf } from '../../../lambdas/store/table-keys.ts';
import type { JobName } from '../../../lib/catalogue-reader.ts';
import { everything } from '../deploy.ts';
import { byArn, type Need, throughService, unmet } from './needs.ts';
import { at, listOf, place, type Resource } from './resolved-stack.ts';

/** What the code of each folder of `lambdas/` calls, by the environment variable that names the resource. */
export const calledBy = {
  poll: {
    TABLE_NAME: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    HISTORY_TABLE_NAME: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
    TOPIC_ARNS: ['Publish'],
    SECRET_ID: ['GetSecretValue'],
  },
  sweep: {
    TABLE_NAME: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    HISTORY_TABLE_NAME: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
    TOPIC_ARNS: ['Publish'],
    SECRET_ID: ['GetSecretValue'],
  },
  prove: {
    TABLE_NAME: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    HISTORY_TABLE_NAME: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
    TOPIC_ARNS: ['Publish'],
    SECRET_ID: ['GetSecretValue'],
  },
  notify: {
    TABLE_NAME: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
    HISTORY_TABLE_NAME: ['GetItem', 'Query'],
    TOPIC_PREFIX: ['Publish'],
    ALARM_EMAIL: ['ListSubscriptionsByTopic'],
    SECRET_ID: ['GetSecretValue'],
    DEAD_LETTER_QUEUE: ['SendMessage'],
    FEED_BUCKET: ['PutObject'],
  },
  'event-bus': { EVENT_BUS_ARN: ['PutEvents'] },
  page: {
    TABLE_NAME: ['BatchGetItem', 'GetItem', 'Query'],
    HISTORY_TABLE_NAME: ['BatchGetItem', 'GetItem', 'Query'],
    WORKLIST_TABLE_NAME: ['PutItem', 'Query'],
    PEOPLE_TABLE_NAME: ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
    CLIENT_SECRET_ID: ['GetSecretValue'],
    SESSION_KEY_ID: ['GetSecretValue'],
  },
  relay: {
    TABLE_NAME: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
    HISTORY_TABLE_NAME: ['BatchGetItem', 'GetItem', 'Query'],
    RELAY_BUCKET: ['DeleteObject', 'GetObject', 'ListBucket', 'PutObject'],
    SIGNING_KEY_ID: ['GetSecretValue'],
  },
} as const satisfies Readonly<
  Record<JobName | 'notify' | 'event-bus' | 'page' | 'relay', Readonly<Record<string, readonly string[]>>>
>;

type Environment = Readonly<Record<string, string>>;

/** The service of a variable, and the resources that it names. */
const named: Readonly<
  Record<
    string,
    { readonly service: string; resources(value: string, stack: readonly Resource[]): readonly string[] }
  >
> = {
  TABLE_NAME: { service: 'dynamodb', resources: (name) => [tableArn(name)] },
  HISTORY_TABLE_NAME: { service: 'dynamodb', resources: (name) => [tableArn(name)] },
  WORKLIST_TABLE_NAME: { service: 'dynamodb', resources: (name) => [tableArn(name)] },
  PEOPLE_TABLE_NAME: { service: 'dynamodb', resources: (name) => [tableArn(name)] },
  TOPIC_ARNS: {
    service: 'sns',
    resources: (json) => Object.values(z.record(z.string(), z.string()).parse(JSON.parse(json))),
  },
  TOPIC_PREFIX: {
    service: 'sns',
    // Those that only `notify` publishes to.
    resources: (prefix, stack) =>
      stack.flatMap(({ type, arn = '' }) =>
        type === 'AWS::SNS::Topic' && /^(mail|chat)-/.test(arn.slice(prefix.length)) ? [arn] : [],
      ),
  },
  SECRET_ID: { service: 'secretsmanager', resources: (arn) => [arn] },
  CLIENT_SECRET_ID: { service: 'secretsmanager', resources: (arn) => [arn] },
  SESSION_KEY_ID: { service: 'secretsmanager', resources: (arn) => [arn] },
  DEAD_LETTER_QUEUE: {
    service: 'sqs',
    resources: (url, stack) => stack.flatMap(({ ref, arn }) => (ref === url && arn ? [arn] : [])),
  },
  ALARM_EMAIL: {
    service: 'sns',
    // With those of mail, whose subscriptions `notify` looks at too.
    resources: (_address, stack) =>
      stack.flatMap(({ type, arn = '' }) =>
        type === 'AWS::SNS::Topic' && /-(mail-[^:]*|alarms)$/.test(arn) ? [arn] : [],
      ),
  },
  EVENT_BUS_ARN: { service: 'events', resources: (arn) => [arn] },
  FEED_BUCKET: { service: 's3', resources: (name) => [`${bucketArn(name)}/everything.xml`] },
  RELAY_BUCKET: { service: 's3', resources: (name) => [bucketArn(name), `${bucketArn(name)}/relay.json`] },
  SIGNING_KEY_ID: { service: 'secretsmanager', resources: (arn) => [arn] },
};

const bucketArn = (name: string): string => `arn:aws:s3:::${name.toLowerCase()}`;

/** A bucket is listed; all else is done to its objects. */
const concerns = (resource: string, action: string): boolean =>
  !resource.startsWith('arn:aws:s3:') || (action === 'ListBucket') !== resource.includes('/');

const tableArn = (name: string): string => `arn:aws:dynamodb:${place.region}:${place.account}:table/${name}`;

/** What the functions of the notifier need for their own code, their log, their environment and their network. */
export function functionFindings(stack: readonly Resource[]): readonly string[] {
  const functions = stack.filter(
    ({ type, properties }) =>
      type === 'AWS::Lambda::Function' &&
      ['TABLE_NAME', 'EVENT_BUS_ARN'].some(
        (name) => at(properties, 'Environment', 'Variables', name) !== undefined,
      ),
  );
  return functions.flatMap((each) => needsOf(each, stack).flatMap((need) => unmet(need, stack)));
}

function needsOf(each: Resource, stack: readonly Resource[]): readonly Need[] {
  const { ref: of, properties, arn: functionArn = '' } = each;
  const by = byArn(stack, properties.Role);
  const environment = z.record(z.string(), z.string()).parse(at(properties, 'Environment', 'Variables'));
  const log = String(at(properties, 'LoggingConfig', 'LogGroup'));
  const common = { of, by };
  return [
    ...codeNeeds(common, environment, stack),
    ...ownKeyNeeds(common, environment),
    ...['CreateLogStream', 'PutLogEvents'].map((action) => ({
      ...common,
      action: `logs:${action}`,
      resource: `arn:aws:logs:${place.region}:${place.account}:log-group:${log}:*`,
    })),
    ...listOf(properties.KmsKeyArn).map((key) => ({
      ...common,
      action: 'kms:Decrypt',
      resource: String(key),
      context: { 'kms:encryptioncontext:aws:lambda:functionarn': functionArn },
    })),
    ...(properties.VpcConfig === undefined ? [] : networkNeeds(common)),
  ];
}

type Common = Pick<Need, 'of' | 'by'>;

function codeNeeds(common: Common, environment: Environment, stack: readonly Resource[]): readonly Need[] {
  const calls: Readonly<Record<string, readonly string[]>> = calledBy[kindOf(common.of)];
  return Object.entries(calls).flatMap(([variable, actions]) => {
    const value = environment[variable];
    const how = named[variable];
    if (how === undefined) throw new Error(`The variable ${variable} is unknown here; add it`);
    if (value === undefined) return [];
    const indexes = variable === 'HISTORY_TABLE_NAME' ? Object.values(historyIndexes) : [];
    const ofCatalogues = [
      { catalogue: environment.CATALOGUE_NAME, calls: actions },
      ...comparedIn(environment).map((catalogue) => ({ catalogue, calls: comparing })),
    ];
    return how.resources(value, stack).flatMap((resource) => [
      ...ofCatalogues
        .filter(({ catalogue }) => catalogue === environment.CATALOGUE_NAME || how.service === 'dynamodb')
        .flatMap(({ catalogue, calls }) => {
          const context = leadingKeys(variable, catalogue);
          return [
            ...calls
              .filter((action) => concerns(resource, action))
              .map((action) => ({ ...common, action: `${how.service}:${action}`, resource, context })),
            ...indexes.map((index) => ({
              ...common,
              action: 'dynamodb:Query',
              resource: `${resource}/index/${index}`,
              context,
            })),
          ];
        }),
      ...keyNeeds(common, { service: how.service, resource }, stack),
    ]);
  });
}

/** What a comparison calls for each of the other catalogues. */
const comparing = ['BatchGetItem', 'GetItem', 'Query'];

const comparedIn = ({ COMPARED_WITH: json = '[]' }: Environment): readonly string[] =>
  z
    .array(z.object({ catalogue: z.string() }))
    .parse(JSON.parse(json))
    .map(({ catalogue }) => catalogue);

/** The partition of a table that a function of a catalogue names in a call. */
function leadingKeys(variable: string, catalogue: string | undefined): NonNullable<Need['context']> {
  if (catalogue === undefined || !['TABLE_NAME', 'HISTORY_TABLE_NAME'].includes(variable)) return {};
  const key = variable === 'TABLE_NAME' ? partitionOf(catalogue) : `${historyPartitions(catalogue)}any`;
  return { 'dynamodb:leadingkeys': key };
}

/** `panels-test-poll-uk` runs the code of `lambdas/poll`. */
function kindOf(functionName: string): keyof typeof calledBy {
  const kinds = Object.keys(calledBy) as (keyof typeof calledBy)[];
  const kind = kinds.find((name) => functionName.includes(`-${name}`));
  if (kind === undefined) throw new Error(`What ${functionName} calls is unknown here; add it`);
  return kind;
}

/** What each service does with the customer key of a resource, with the rights of its caller. */
const keyActions: Readonly<Record<string, readonly string[]>> = {
  dynamodb: [
    'Decrypt',
    'DescribeKey',
    'Encrypt',
    'GenerateDataKey',
    'GenerateDataKeyWithoutPlaintext',
    'ReEncryptFrom',
    'ReEncryptTo',
  ],
  sns: ['Decrypt', 'GenerateDataKey'],
  sqs: ['Decrypt', 'GenerateDataKey'],
  secretsmanager: ['Decrypt'],
  s3: ['Decrypt', 'GenerateDataKey'],
};

function keyNeeds(
  common: Common,
  { service, resource }: { readonly service: string; readonly resource: string },
  stack: readonly Resource[],
): readonly Need[] {
  const target = stack.find(
    ({ arn }) => arn !== undefined && (arn === resource || resource.startsWith(`${arn}/`)),
  );
  const text = JSON.stringify(target?.properties ?? {});
  return stack
    .filter(({ type, arn = '' }) => type === 'AWS::KMS::Key' && text.includes(`"${arn}"`))
    .flatMap((key) =>
      (keyActions[service] ?? []).map((action) => ({
        ...common,
        action: `kms:${action}`,
        resource: key.arn ?? '',
        context: throughService(service),
      })),
    );
}

const interfaceActions = [
  'AssignPrivateIpAddresses',
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSubnets',
  'UnassignPrivateIpAddresses',
];

/** Lambda checks them when a function is connected to a VPC. */
const networkNeeds = (common: Common): readonly Need[] =>
  interfaceActions.map((action) => ({ ...common, action: `ec2:${action}`, resource: '*' }));

/** CloudFront reads the files of a relay by the policy of their bucket. */
export function servingFindings(stack: readonly Resource[]): readonly string[] {
  const names = stack.map(({ properties }) => at(properties, 'Environment', 'Variables', 'RELAY_BUCKET'));
  return stack
    .filter(({ type, ref }) => type === 'AWS::S3::Bucket' && names.includes(ref))
    .flatMap(({ id, arn }) =>
      unmet(
        {
          of: `what serves ${id}`,
          by: 'cloudfront.amazonaws.com',
          action: 's3:GetObject',
          resource: `${arn}/relay.json`,
          context: { 'aws:sourcearn': everything.relay?.distribution ?? '' },
        },
        stack,
      ),
    );
}

/** The roles of other services: the export's. */
export function exportFindings(stack: readonly Resource[]): readonly string[] {
  const streams = stack.filter(({ type }) => type === 'AWS::KinesisFirehose::DeliveryStream');
  return streams.flatMap(({ id, properties }) => {
    const destination = properties.ExtendedS3DestinationConfiguration;
    const bucket = byArn(stack, at(destination, 'BucketARN'));
    const common = { of: `the export ${id}`, by: byArn(stack, at(destination, 'RoleARN')) };
    const objects = ['events', 'failed'].flatMap((folder) =>
      ['AbortMultipartUpload', 'GetObject', 'PutObject'].map(
        (action) => [action, `/${folder}/1.ndjson.gz`] as const,
      ),
    );
    const inBucket = ['GetBucketLocation', 'ListBucket', 'ListBucketMultipartUploads'].map(
      (action) => [action, ''] as const,
    );
    const log = String(at(destination, 'CloudWatchLoggingOptions', 'LogGroupName'));
    const needs: readonly Need[] = [
      ...[...objects, ...inBucket].map(([action, path]) => ({
        ...common,
        action: `s3:${action}`,
        resource: `${bucket.arn}${path}`,
      })),
      {
        ...common,
        action: 'logs:PutLogEvents',
        resource: `arn:aws:logs:${place.region}:${place.account}:log-group:${log}:*`,
      },
      ...keyNeeds(common, { service: 's3', resource: bucket.arn ?? '' }, stack),
    ];
    return needs.flatMap((need) => unmet(need, stack));
  });
}

/** CloudWatch Logs encrypts a group with a key on its own behalf. */
export function logFindings(stack: readonly Resource[]): readonly string[] {
  const actions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom'];
  return stack
    .filter(({ type, properties }) => type === 'AWS::Logs::LogGroup' && properties.KmsKeyId !== undefined)
    .flatMap(({ id, ref, properties }) =>
      actions.flatMap((action) =>
        unmet(
          {
            of: `the log group ${id}`,
            by: `logs.${place.region}.amazonaws.com`,
            action: `kms:${action}`,
            resource: String(properties.KmsKeyId),
            context: {
              'kms:encryptioncontext:aws:logs:arn': `arn:aws:logs:${place.region}:${place.account}:log-group:${ref}`,
            },
          },
          stack,
        ),
      ),
    );
}

/** Secrets of the laboratory's own that have a key of its own: the template does not show that. */
const ownSecretKeys: Readonly<Record<string, string>> = {
  'arn:aws:secretsmanager:eu-west-2:123456789012:secret:closed-AbCdEf':
    'arn:aws:kms:eu-west-2:123456789012:key/11111111-2222-3333-4444-555555555555',
};

const ownKeyNeeds = (common: Common, { SECRET_ID = '' }: Environment): readonly Need[] =>
  Object.entries(ownSecretKeys)
    .filter(([secret]) => secret === SECRET_ID)
    .map(([, key]) => ({
      ...common,
      action: 'kms:Decrypt',
      resource: key,
      context: throughService('secretsmanager'),
    }));
