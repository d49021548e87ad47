import { topics as events } from '../../../lambdas/events/kinds.ts';
import { matchesPattern, resourcePolicy, type Statement, statementsOf, statementsOfRole } from './policy.ts';
import { at, listOf, place, type Resource, textsOf } from './resolved-stack.ts';

/** A queue must hide a message for six times as long as its function may run, or it is handled twice at once. */
export function visibilityFindings(stack: readonly Resource[]): readonly string[] {
  return stack
    .filter(({ type }) => type === 'AWS::Lambda::EventSourceMapping')
    .flatMap(({ id, properties }) => {
      const queue = stack.find(({ arn }) => arn === properties.EventSourceArn);
      const target = stack.find(({ ref }) => ref === properties.FunctionName);
      const hidden = Number(queue?.properties.VisibilityTimeout ?? 30);
      const runs = Number(target?.properties.Timeout ?? 3);
      return hidden >= 6 * runs
        ? []
        : [
            `${id}: the queue hides a message for ${hidden} s, and the function may run ${runs} s: wanted ${6 * runs} s`,
          ];
    });
}

/** Topics, queues and buckets refuse what comes without TLS. */
export function tlsFindings(stack: readonly Resource[]): readonly string[] {
  const calls: Readonly<Record<string, string>> = {
    'AWS::SNS::Topic': 'sns:Publish',
    'AWS::SQS::Queue': 'sqs:SendMessage',
    'AWS::S3::Bucket': 's3:GetObject',
  };
  return stack.flatMap((resource) => {
    const action = calls[resource.type];
    if (action === undefined) return [];
    const refuses = resourcePolicy(resource, stack).some(
      ({ Effect, Action, Condition }) =>
        Effect === 'Deny' &&
        textsOf(Action).some((pattern) => matchesPattern(action, pattern)) &&
        at(Condition, 'Bool', 'aws:SecureTransport') === 'false',
    );
    return refuses ? [] : [`${resource.id}: its policy does not refuse calls without TLS`];
  });
}

/** Topics of events are shared with the same accounts: what a subscriber misses on one of them, nobody would notice. */
export function sharingFindings(stack: readonly Resource[]): readonly string[] {
  const topics = stack
    .filter(({ type, ref }) => type === 'AWS::SNS::Topic' && events.some((name) => ref.endsWith(`-${name}`)))
    .map((topic) => {
      const who = resourcePolicy(topic, stack)
        .filter(({ Action }) => textsOf(Action).includes('sns:Subscribe'))
        .map(({ Principal, Condition }) => JSON.stringify([Principal, Condition]));
      return { id: topic.id, who: who.join(' ') };
    });
  const widest = topics.toSorted((one, other) => other.who.length - one.who.length)[0]?.who;
  return topics
    .filter(({ who }) => who !== widest)
    .map(({ id }) => `${id}: other topics are shared with accounts that may not subscribe to this one`);
}

/** In a VPC the rights of Lambda must be denied to the function's own code. */
export function networkFindings(stack: readonly Resource[]): readonly string[] {
  return stack
    .filter(({ type, properties }) => type === 'AWS::Lambda::Function' && properties.VpcConfig !== undefined)
    .flatMap(({ id, arn = '', properties }) => {
      const role = stack.find((each) => each.arn === properties.Role);
      const statements = role ? statementsOfRole(role, stack) : [];
      const granted = statements
        .filter(({ Effect }) => Effect === 'Allow')
        .flatMap(({ Action }) => textsOf(Action));
      const denied = statements
        .filter(
          ({ Effect, Condition }) =>
            Effect === 'Deny' && at(Condition, 'ArnEquals', 'lambda:SourceFunctionArn') === arn,
        )
        .flatMap(({ Action }) => textsOf(Action));
      return granted
        .filter((action) => action.startsWith('ec2:') && !denied.includes(action))
        .map((action) => `${id}: its role ${role?.id} does not deny ${action} to the code of the function`);
    });
}

/** Every policy document of a stack, with the resource that holds it. */
export function policiesOf(
  stack: readonly Resource[],
): readonly { readonly holder: Resource; readonly statements: readonly Statement[] }[] {
  return stack.flatMap((holder) => {
    const { PolicyDocument, KeyPolicy, AssumeRolePolicyDocument, Policies } = holder.properties;
    const documents = [PolicyDocument, KeyPolicy, AssumeRolePolicyDocument].filter(
      (each) => each !== undefined,
    );
    const own = listOf(Policies).map((policy) => at(policy, 'PolicyDocument'));
    return [...documents, ...own].map((document) => ({ holder, statements: statementsOf(document) }));
  });
}

/**
 * The actions of each service that AWS publishes; see test/templates/aws-facts.json.
 * @param known actions in lower case, by the service's prefix
 */
export function actionFindings(
  stack: readonly Resource[],
  known: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const patterns = policiesOf(stack).flatMap(({ holder, statements }) =>
    statements.flatMap(({ Action }) => textsOf(Action).map((action) => ({ holder, action }))),
  );
  return patterns.flatMap(({ holder, action }) => {
    const [service = '', name = ''] = action.toLowerCase().split(':');
    const exists = (known[service] ?? []).some((each) => matchesPattern(each, name));
    return exists ? [] : [`${holder.id}: AWS publishes no action ${action}`];
  });
}

/** Limits that CloudFormation does not check before it calls the service. */
export function limitFindings(stack: readonly Resource[]): readonly string[] {
  const longest: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'AWS::CloudWatch::Alarm': { AlarmName: 255, AlarmDescription: 1024 },
    'AWS::IAM::Role': { RoleName: 64, Description: 1000 },
    'AWS::KMS::Key': { Description: 8192 },
    'AWS::Lambda::Function': { FunctionName: 64, Description: 256 },
    'AWS::Lambda::LayerVersion': { Description: 256 },
    'AWS::SNS::Topic': { TopicName: 256 },
    'AWS::SQS::Queue': { QueueName: 80 },
    'AWS::Scheduler::Schedule': { Name: 64, Description: 512 },
    'AWS::Scheduler::ScheduleGroup': { Name: 64 },
    'AWS::SecretsManager::Secret': { Description: 2048 },
  };
  const tooLong = stack.flatMap(({ id, type, properties }) =>
    Object.entries(longest[type] ?? {}).flatMap(([name, most]) => {
      const text = properties[name];
      return typeof text === 'string' && text.length > most
        ? [`${id}: ${name} has ${text.length} characters; AWS takes ${most}`]
        : [];
    }),
  );
  return [
    ...tooLong,
    ...policySizes(stack),
    ...filterLimits(stack),
    ...environmentSizes(stack),
    ...listLengths(stack),
    ...counts(stack),
  ];
}

/** A role's inline policies together, in characters without white space; a resource's policy in bytes. */
function policySizes(stack: readonly Resource[]): readonly string[] {
  const most: Readonly<Record<string, number>> = {
    'AWS::IAM::Role': 10_240,
    'AWS::KMS::Key': 32_768,
    'AWS::S3::BucketPolicy': 20_480,
    'AWS::SNS::TopicPolicy': 30_720,
    'AWS::SQS::QueuePolicy': 8_192,
  };
  return stack.flatMap(({ id, type, properties }) => {
    const limit = most[type];
    const documents = [properties.PolicyDocument, properties.KeyPolicy, ...listOf(properties.Policies)];
    const size = documents.reduce<number>((sum, each) => sum + JSON.stringify(each ?? '').length, 0);
    return limit === undefined || size <= limit
      ? []
      : [`${id}: its policies have ${size} characters; AWS takes ${limit}`];
  });
}

/** SNS: five keys, 150 combinations of values, 256 KB; 200 filter policies of a topic. */
function filterLimits(stack: readonly Resource[]): readonly string[] {
  const filtered = stack.filter(
    ({ type, properties }) => type === 'AWS::SNS::Subscription' && properties.FilterPolicy !== undefined,
  );
  const byTopic = Map.groupBy(filtered, ({ properties }) => String(properties.TopicArn));
  return [
    ...filtered.flatMap(({ id, properties }) => {
      const values = Object.values(Object(properties.FilterPolicy)).map((value) => listOf(value).length);
      const combinations = values.reduce((product, count) => product * count, 1);
      const bytes = Buffer.byteLength(JSON.stringify(properties.FilterPolicy));
      return [
        ...(values.length > 5 ? [`${id}: a filter policy has ${values.length} keys; SNS takes 5`] : []),
        ...(combinations > 150
          ? [`${id}: a filter policy has ${combinations} combinations; SNS takes 150`]
          : []),
        ...(bytes > 262_144 ? [`${id}: a filter policy has ${bytes} bytes; SNS takes 256 KB`] : []),
      ];
    }),
    ...[...byTopic].flatMap(([topic, all]) =>
      all.length > 200 ? [`${topic}: ${all.length} subscriptions have a filter; SNS takes 200`] : [],
    ),
  ];
}

/** Lambda: 4 KB of environment variables together. */
function environmentSizes(stack: readonly Resource[]): readonly string[] {
  return stack.flatMap(({ id, properties }) => {
    const size = Buffer.byteLength(JSON.stringify(at(properties, 'Environment', 'Variables') ?? {}));
    return size <= 4096 ? [] : [`${id}: its environment has ${size} bytes; Lambda takes 4096`];
  });
}

/** Lambda: 16 subnets, 5 security groups, 5 layers. Any resource: 50 tags. CloudWatch: 100 alarms of a widget. */
function listLengths(stack: readonly Resource[]): readonly string[] {
  return stack.flatMap(({ id, properties }) => {
    const lists = [
      ['subnets', listOf(at(properties, 'VpcConfig', 'SubnetIds')), 16],
      ['security groups', listOf(at(properties, 'VpcConfig', 'SecurityGroupIds')), 5],
      ['layers', listOf(properties.Layers), 5],
      ['tags', Array.isArray(properties.Tags) ? properties.Tags : [], 50],
      ...listOf(at(JSON.parse(String(properties.DashboardBody ?? '{}')), 'widgets')).map(
        (widget) => ['alarms of a widget', listOf(at(widget, 'properties', 'alarms')), 100] as const,
      ),
    ] as const;
    return lists.flatMap(([what, { length }, most]) =>
      length > most ? [`${id}: ${length} ${what}; AWS takes ${most}`] : [],
    );
  });
}

/** CloudFormation: 500 resources. CloudWatch: alarms over metrics of at most a day, or a week from periods of an hour. */
function counts(stack: readonly Resource[]): readonly string[] {
  return stack.length <= 500
    ? []
    : [`${stack.length} resources; CloudFormation takes 500 in ${place.region}`];
}

/** CloudFormation: 200 outputs, and a template of 1 MB as the CDK writes it. */
export function templateFindings(template: Readonly<Record<string, unknown>>): readonly string[] {
  const outputs = Object.keys(Object(template.Outputs)).length;
  const bytes = Buffer.byteLength(JSON.stringify(template, undefined, 1));
  return [
    ...(outputs > 200 ? [`${outputs} outputs; CloudFormation takes 200`] : []),
    ...(bytes > 1_000_000 ? [`${bytes} bytes of template; CloudFormation takes 1 MB`] : []),
  ];
}
