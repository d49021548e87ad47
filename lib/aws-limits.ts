import { CfnElement, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * What AWS refuses only while a stack is deployed, because a setting made something too large. Each limit is a quota that no
 * request raises, or the default of one that can be raised: https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html
 */

interface Limit {
  readonly type: string;
  /** What is measured, as in "9,000 bytes in its policy". */
  readonly what: string;
  readonly unit: 'bytes' | 'characters' | 'combinations of values' | 'keys';
  readonly most: number;
  /** @returns undefined where the resource has no such thing */
  readonly measure: (properties: Properties, size: (value: unknown) => number) => number | undefined;
  readonly remedy: string;
}

type Properties = Readonly<Record<string, unknown>>;

const fewer = 'Divide the subscriptions between two stages';
const lessFilter = 'Name fewer values in the filter, or divide the subscription';

const named = (type: string, property: string, most: number, remedy: string): Limit => ({
  type,
  what: property,
  unit: 'characters',
  most,
  measure: (properties, size) =>
    properties[property] === undefined ? undefined : size(properties[property]),
  remedy,
});
const shorterName = 'Give the settings, the stage or the catalogue a shorter name';
const names = (
  types: Readonly<Record<string, readonly [property: string, most: number]>>,
): readonly Limit[] =>
  Object.entries(types).map(([type, [property, most]]) => named(type, property, most, shorterName));

const policy = (type: string, property: string, most: number): Limit => ({
  type,
  what: 'policy',
  unit: 'bytes',
  most,
  measure: (properties, size) => size(properties[property]),
  remedy: fewer,
});

const valuesOf = ({ FilterPolicy }: Properties): readonly unknown[] | undefined =>
  FilterPolicy === undefined ? undefined : Object.values(Object(FilterPolicy));
const entries = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);

const limits: readonly Limit[] = [
  {
    type: 'AWS::IAM::Role',
    what: 'inline policies',
    unit: 'characters',
    most: 10_240,
    measure: ({ Policies }, size) =>
      (Array.isArray(Policies) ? Policies : []).reduce(
        (sum, { PolicyDocument }) => sum + size(PolicyDocument),
        0,
      ),
    remedy: fewer,
  },
  {
    type: 'AWS::IAM::Role',
    what: 'trust policy',
    unit: 'characters',
    most: 2_048,
    measure: ({ AssumeRolePolicyDocument }, size) => size(AssumeRolePolicyDocument),
    remedy: shorterName,
  },
  policy('AWS::SNS::TopicPolicy', 'PolicyDocument', 30_720),
  policy('AWS::SQS::QueuePolicy', 'PolicyDocument', 8_192),
  policy('AWS::S3::BucketPolicy', 'PolicyDocument', 20_480),
  policy('AWS::KMS::Key', 'KeyPolicy', 32_768),
  {
    type: 'AWS::Lambda::Function',
    what: 'environment',
    unit: 'bytes',
    most: 4_096,
    measure: ({ Environment }, size) => size(Object(Environment).Variables ?? {}),
    remedy: 'Shorten the addresses in the settings of this catalogue or of the page',
  },
  {
    type: 'AWS::SNS::Subscription',
    what: 'filter policy',
    unit: 'keys',
    most: 5,
    measure: (properties) => valuesOf(properties)?.length,
    remedy: lessFilter,
  },
  {
    type: 'AWS::SNS::Subscription',
    what: 'filter policy',
    unit: 'combinations of values',
    most: 150,
    measure: (properties) =>
      valuesOf(properties)?.reduce<number>((sum, each) => sum * (entries(each) ?? 1), 1),
    remedy: lessFilter,
  },
  {
    type: 'AWS::SNS::Subscription',
    what: 'filter policy',
    unit: 'bytes',
    most: 262_144,
    measure: ({ FilterPolicy }, size) => size(FilterPolicy ?? {}),
    remedy: lessFilter,
  },
  named('AWS::CloudWatch::Alarm', 'AlarmDescription', 1_024, 'Shorten the address alarms.runbook'),
  ...names({
    'AWS::ApiGatewayV2::Api': ['Name', 128],
    'AWS::CloudWatch::Alarm': ['AlarmName', 255],
    'AWS::CloudWatch::Dashboard': ['DashboardName', 255],
    'AWS::KinesisFirehose::DeliveryStream': ['DeliveryStreamName', 64],
    'AWS::Lambda::Function': ['FunctionName', 64],
    'AWS::SNS::Topic': ['TopicName', 256],
    'AWS::SQS::Queue': ['QueueName', 80],
    'AWS::Scheduler::Schedule': ['Name', 64],
    'AWS::Scheduler::ScheduleGroup': ['Name', 64],
  }),
];

/** Of a stack, and of a topic: filter policies. */
const RESOURCES = 500;
const OUTPUTS = 200;
/** AWS says 1 MB. */
const TEMPLATE_BYTES = 1_000_000;
const FILTERS_OF_A_TOPIC = 200;

/** Refuses to synthesise a stack that AWS would refuse to deploy, with a sentence for each limit that says what to change. */
export const checkLimits = (scope: Construct): void =>
  scope.node.addValidation({ validate: () => [...limitProblems(Stack.of(scope))] });

interface Made {
  readonly Type: string;
  readonly Properties?: Properties;
}

interface Template {
  readonly Resources: Readonly<Record<string, Made>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

/** The resources and outputs of a stack as its template will have them, before the whole app is synthesised. */
export function templateOf(stack: Stack): Template {
  const parts: readonly Partial<Template>[] = stack.node
    .findAll()
    .flatMap((each) => (CfnElement.isCfnElement(each) && each.stack === stack ? [each] : []))
    .map((each) => stack.resolve(each._toCloudFormation()));
  const together = (name: keyof Template) =>
    Object.fromEntries(parts.flatMap((part) => Object.entries(part[name] ?? {})));
  return { Resources: together('Resources') as Template['Resources'], Outputs: together('Outputs') };
}

function limitProblems(stack: Stack): readonly string[] {
  const template = templateOf(stack);
  const resources = Object.entries(template.Resources);
  const made = new Map(resources);
  const size = (value: unknown): number => sizeOf(value, { stack, made });
  return [
    ...wholeStack(stack, template),
    ...filtersOfTopics(resources),
    ...resources.flatMap(([id, { Type, Properties = {} }]) =>
      limits.flatMap(({ type, what, unit, most, measure, remedy }) => {
        const seen = type === Type ? (measure(Properties, size) ?? 0) : 0;
        return seen <= most
          ? []
          : [`${id} has ${counted(seen)} ${unit} in its ${what}, and AWS takes ${counted(most)}. ${remedy}.`];
      }),
    ),
  ];
}

const counted = (count: number): string => count.toLocaleString('en');

function wholeStack({ stackName }: Stack, template: Template): readonly string[] {
  const [resources = 0, outputs = 0] = [template.Resources, template.Outputs].map(
    (each) => Object.keys(each).length,
  );
  // The CDK writes a template with an indent of one space.
  const bytes = Buffer.byteLength(JSON.stringify(template, undefined, 1));
  return (
    [
      [
        'resources',
        resources,
        RESOURCES,
        'Divide catalogues and subscriptions between two stages: a subscription by mail or Amazon Q has 2 and one more for each address, a queue one for each topic, a catalogue 34',
      ],
      ['outputs', outputs, OUTPUTS, 'Divide the catalogues between two stages'],
      ['bytes of template', bytes, TEMPLATE_BYTES, lessFilter],
    ] as const
  ).flatMap(([what, seen, most, remedy]) =>
    seen <= most
      ? []
      : [`The stack ${stackName} has ${counted(seen)} ${what}, and AWS takes ${counted(most)}. ${remedy}.`],
  );
}

function filtersOfTopics(resources: readonly (readonly [string, Made])[]): readonly string[] {
  const filtered = new Map<string, number>();
  for (const [, { Type, Properties = {} }] of resources) {
    if (Type !== 'AWS::SNS::Subscription' || Properties.FilterPolicy === undefined) continue;
    const topic = String(Object(Properties.TopicArn).Ref ?? JSON.stringify(Properties.TopicArn));
    filtered.set(topic, (filtered.get(topic) ?? 0) + 1);
  }
  return [...filtered].flatMap(([topic, count]) =>
    count <= FILTERS_OF_A_TOPIC
      ? []
      : [
          `${topic} has ${counted(count)} subscriptions with a filter, and AWS takes ${FILTERS_OF_A_TOPIC}. Give queues of one team one subscription, and mail to many people one address.`,
        ],
  );
}

interface Given {
  readonly stack: Stack;
  readonly made: ReadonlyMap<string, Made>;
}

/** The longest text that AWS fills in for each pseudo parameter. */
const pseudo: Readonly<Record<string, number>> = {
  'AWS::AccountId': 12,
  'AWS::Partition': 'aws-us-gov'.length,
  'AWS::Region': 'ap-northeast-1'.length,
  'AWS::URLSuffix': 'amazonaws.com.cn'.length,
};
/** What stands around a name in an ARN or an address, at most. */
const AROUND_NAME = 'arn:aws-us-gov:secretsmanager:ap-northeast-1:123456789012:schedule-group/'.length;
/** What AWS appends to a name that it makes. */
const RANDOM = '-1A2B3C4D5E6F'.length;

/** The most bytes that a value takes as JSON once AWS has filled in its references; of text, without the quotes. */
function sizeOf(value: unknown, given: Given): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value)) - 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  const inner = (part: unknown): number => sizeOf(part, given) + (isText(part) ? 2 : 0);
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + inner(part) + 1, 1);
  const [[key = '', first] = []] = Object.entries(value);
  if (key === 'Ref') return pseudo[String(first)] ?? referredSize(String(first), given);
  if (key === 'Fn::GetAtt') return referredSize(String(Array.isArray(first) ? first[0] : first), given);
  if (key === 'Fn::Join' && Array.isArray(first)) {
    const [separator = '', parts = []] = first as [string?, unknown[]?];
    return parts.reduce<number>((sum, part) => sum + sizeOf(part, given) + separator.length, 0);
  }
  return Object.entries(value).reduce((sum, [name, part]) => sum + name.length + 4 + inner(part), 1);
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && /^(?:Ref|Fn::.*)$/.test(Object.keys(value)[0] ?? ''));

/** Names, ARNs and addresses of a resource: the longest of them. */
function referredSize(id: string, { stack, made }: Given): number {
  const own = Object.entries(made.get(id)?.Properties ?? {}).find(
    ([name, value]) => /^(?:\w+Name|Name)$/.test(name) && typeof value === 'string',
  );
  const name = own ? String(own[1]).length : Math.min(stack.stackName.length + id.length + 1, 200) + RANDOM;
  return AROUND_NAME + name;
}
