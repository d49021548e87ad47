import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';

/** A resource of a template, with every reference filled in by the name or ARN that AWS would give. */
export interface Resource {
  /** Logical id. */
  readonly id: string;
  readonly type: string;
  /** What `Ref` gives. */
  readonly ref: string;
  /** Undefined for types whose ARN no other resource states. */
  readonly arn: string | undefined;
  readonly properties: Properties;
}

type Properties = { readonly [name: string]: unknown };

const region = 'eu-west-2';
const account = '123456789012';
/** What AWS fills in where a template does not name a region or an account. */
export const place = { region, account } as const;

const rawSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
type Raw = z.output<typeof rawSchema>;

const arnOf = (service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** How `Ref` and `Arn` of a type are made from its name. */
const identities: Readonly<
  Record<string, { readonly name?: string; ref?(name: string): string; arn?(name: string): string }>
> = {
  'AWS::CloudWatch::Alarm': { name: 'AlarmName', arn: (name) => arnOf('cloudwatch', `alarm:${name}`) },
  'AWS::DynamoDB::Table': { name: 'TableName', arn: (name) => arnOf('dynamodb', `table/${name}`) },
  'AWS::Events::EventBus': { name: 'Name', arn: (name) => arnOf('events', `event-bus/${name}`) },
  'AWS::IAM::Role': { name: 'RoleName', arn: (name) => `arn:aws:iam::${account}:role/${name}` },
  'AWS::KMS::Key': { arn: (name) => arnOf('kms', `key/${name}`) },
  'AWS::KinesisFirehose::DeliveryStream': {
    name: 'DeliveryStreamName',
    arn: (name) => arnOf('firehose', `deliverystream/${name}`),
  },
  'AWS::Lambda::Function': { name: 'FunctionName', arn: (name) => arnOf('lambda', `function:${name}`) },
  'AWS::Logs::LogGroup': { name: 'LogGroupName', arn: (name) => arnOf('logs', `log-group:${name}:*`) },
  'AWS::S3::Bucket': { name: 'BucketName', arn: (name) => `arn:aws:s3:::${name.toLowerCase()}` },
  'AWS::SNS::Topic': {
    name: 'TopicName',
    ref: (name) => arnOf('sns', name),
    arn: (name) => arnOf('sns', name),
  },
  'AWS::SQS::Queue': {
    name: 'QueueName',
    ref: (name) => `https://sqs.${region}.amazonaws.com/${account}/${name}`,
    arn: (name) => arnOf('sqs', name),
  },
  'AWS::Scheduler::Schedule': { name: 'Name' },
  'AWS::Scheduler::ScheduleGroup': {
    name: 'Name',
    arn: (name) => arnOf('scheduler', `schedule-group/${name}`),
  },
  'AWS::SecretsManager::Secret': {
    ref: (name) => arnOf('secretsmanager', `secret:${name}`),
    arn: (name) => arnOf('secretsmanager', `secret:${name}`),
  },
};

/** Attributes that are neither `Arn` nor the name. */
const ownAttributes: Readonly<Record<string, (name: string) => string>> = {
  QueueName: (name) => name,
  TopicName: (name) => name,
  TopicArn: (name) => arnOf('sns', name),
  GroupId: (name) => `sg-${name}`,
  ApiEndpoint: (name) => `https://${name}.execute-api.${region}.amazonaws.com`,
};

/** Every resource of a template as it would be deployed in `place`, by a stack of this name. */
export function resolvedStack(template: Template, stack: string): readonly Resource[] {
  const raw = z.object({ Resources: z.record(z.string(), rawSchema) }).parse(template.toJSON()).Resources;

  const nameOf = (id: string): string => {
    const { Type = '', Properties = {} } = raw[id] ?? {};
    const stated = identities[Type]?.name === undefined ? undefined : Properties[identities[Type].name];
    return stated === undefined ? `${stack}-${id}-1A2B3C4D5E6F` : String(resolved(stated));
  };
  const refOf = (id: string): string => {
    const pseudo: Readonly<Record<string, string>> = {
      'AWS::AccountId': account,
      'AWS::Partition': 'aws',
      'AWS::Region': region,
      'AWS::StackName': stack,
      'AWS::URLSuffix': 'amazonaws.com',
    };
    if (pseudo[id] !== undefined) return pseudo[id];
    if (raw[id] === undefined) throw new Error(`The template refers to ${id}, which it does not have`);
    const name = nameOf(id);
    return identities[raw[id].Type]?.ref?.(name) ?? name;
  };
  const attributeOf = (id: string, attribute: string): string => {
    const type = raw[id]?.Type ?? '';
    const value =
      attribute === 'Arn' ? identities[type]?.arn?.(nameOf(id)) : ownAttributes[attribute]?.(nameOf(id));
    if (value === undefined) throw new Error(`The attribute ${attribute} of ${type} is unknown here; add it`);
    return value;
  };
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const [[key = '', inner] = [], ...others] = Object.entries(value);
    if (others.length === 0 && key === 'Ref') return refOf(String(inner));
    if (others.length === 0 && key === 'Fn::GetAtt') {
      const [id, attribute] = z.tuple([z.string(), z.string()]).parse(inner);
      return attributeOf(id, attribute);
    }
    if (others.length === 0 && key === 'Fn::Join') {
      const [separator, parts] = z.tuple([z.string(), z.array(z.unknown())]).parse(inner);
      return parts.map((part) => String(resolved(part))).join(separator);
    }
    if (others.length === 0 && key === 'Fn::Sub') {
      return String(inner).replaceAll(/\$\{([^}]+)\}/g, (_, id: string) => refOf(id));
    }
    if (others.length === 0 && key.startsWith('Fn::')) throw new Error(`${key} is unknown here; add it`);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each)]));
  };

  return Object.entries(raw).map(([id, { Type, Properties }]: [string, Raw]) => ({
    id,
    type: Type,
    ref: refOf(id),
    arn: identities[Type]?.arn?.(nameOf(id)),
    properties: resolved(Properties) as Properties,
  }));
}

/** A member of a member …; undefined where one of them is missing. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );

/** A list, or the one value that stands in its place; nothing for undefined. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The same as texts. */
export const textsOf = (value: unknown): readonly string[] => listOf(value).map(String);
