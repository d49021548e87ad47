import { byArn, byRef, type Need, throughService, unmet, untrusted } from './needs.ts';
import { at, listOf, place, type Resource, textsOf } from './resolved-stack.ts';

/**
 * What one resource hands to another: subscriptions, dead letters, alarms, schedules and event sources. Each is admitted by the
 * policy, the role and the key on the other side.
 */
export function deliveryFindings(stack: readonly Resource[]): readonly string[] {
  return stack.flatMap((resource) => {
    const dropped = keepsNothing(resource, stack);
    // Without a queue for what fails there is nothing more to compare.
    if (dropped.length > 0) return dropped;
    return [...needsOf(resource, stack).flatMap((need) => unmet(need, stack)), ...trustOf(resource, stack)];
  });
}

/** Where each type names the queue that keeps what could not be handed on. */
export const keptIn: Readonly<Record<string, readonly string[]>> = {
  'AWS::SNS::Subscription': ['RedrivePolicy', 'deadLetterTargetArn'],
  'AWS::Lambda::EventInvokeConfig': ['DestinationConfig', 'OnFailure', 'Destination'],
  'AWS::Scheduler::Schedule': ['Target', 'DeadLetterConfig', 'Arn'],
};

/** What fails must be kept: a queue that a function empties needs a queue of dead letters too. */
function keepsNothing(
  { id, type, arn, properties }: Resource,
  stack: readonly Resource[],
): readonly string[] {
  const path = keptIn[type];
  if (path !== undefined && at(properties, ...path) === undefined)
    return [`${id}: what it cannot hand on is dropped; it names no queue for it`];
  const isSource = stack.some((each) => arn !== undefined && each.properties.EventSourceArn === arn);
  return isSource && at(properties, 'RedrivePolicy', 'deadLetterTargetArn') === undefined
    ? [
        `${id}: a message that its function cannot take is handed out for ever; it names no queue of dead letters`,
      ]
    : [];
}

function needsOf(resource: Resource, stack: readonly Resource[]): readonly Need[] {
  switch (resource.type) {
    case 'AWS::SNS::Subscription':
      return subscriptionNeeds(resource, stack);
    case 'AWS::CloudWatch::Alarm':
      return alarmNeeds(resource, stack);
    case 'AWS::Lambda::EventInvokeConfig':
      return destinationNeeds(resource, stack);
    case 'AWS::Lambda::EventSourceMapping':
      return sourceNeeds(resource, stack);
    case 'AWS::Scheduler::Schedule':
      return scheduleNeeds(resource, stack);
    default:
      return [];
  }
}

/** The key that encrypts a queue or topic; nothing where AWS's own key does. */
const keyOf = ({ properties }: Resource, stack: readonly Resource[]): readonly Resource[] =>
  stack.filter(({ type, arn }) => type === 'AWS::KMS::Key' && arn === properties.KmsMasterKeyId);

const keyActions = ['kms:Decrypt', 'kms:GenerateDataKey'] as const;

/** SNS sends to a queue on its own behalf. */
function bySns(of: string, topic: string, queue: Resource, stack: readonly Resource[]): readonly Need[] {
  const context = { 'aws:sourcearn': topic, 'aws:sourceaccount': place.account };
  const common = { of, by: 'sns.amazonaws.com', context };
  return [
    { ...common, action: 'sqs:SendMessage', resource: queue.arn ?? '' },
    ...keyOf(queue, stack).flatMap((key) =>
      keyActions.map((action) => ({ ...common, action, resource: key.arn ?? '' })),
    ),
  ];
}

/** A role sends to a queue. */
function byRole(of: string, role: Resource, queue: Resource, stack: readonly Resource[]): readonly Need[] {
  return [
    { of, by: role, action: 'sqs:SendMessage', resource: queue.arn ?? '' },
    ...keyOf(queue, stack).flatMap((key) =>
      keyActions.map((action) => ({
        of,
        by: role,
        action,
        resource: key.arn ?? '',
        context: throughService('sqs'),
      })),
    ),
  ];
}

function subscriptionNeeds({ id, properties }: Resource, stack: readonly Resource[]): readonly Need[] {
  const { TopicArn, Protocol, Endpoint, RedrivePolicy, SubscriptionRoleArn } = properties;
  const topic = String(TopicArn);
  const deadLetters = byArn(stack, at(RedrivePolicy, 'deadLetterTargetArn'));
  const kept = bySns(`the dead letters of the subscription ${id}`, topic, deadLetters, stack);
  // Queues of others have policies of their own: docs/deploying.md says what they need.
  const queue = stack.find(({ arn }) => arn === Endpoint);
  if (Protocol === 'sqs' && queue) return [...kept, ...bySns(`the subscription ${id}`, topic, queue, stack)];
  if (Protocol !== 'firehose') return kept;
  const role = byArn(stack, SubscriptionRoleArn);
  const actions = ['DescribeDeliveryStream', 'ListTagsForDeliveryStream', 'PutRecord', 'PutRecordBatch'];
  return [
    ...kept,
    ...actions.map((action) => ({
      of: `the subscription ${id}`,
      by: role,
      action: `firehose:${action}`,
      resource: String(Endpoint),
    })),
  ];
}

function alarmNeeds({ id, arn = '', properties }: Resource, stack: readonly Resource[]): readonly Need[] {
  const actions = ['AlarmActions', 'OKActions'].flatMap((name) => textsOf(properties[name]));
  return [...new Set(actions)].flatMap((topicArn) => {
    const topic = byArn(stack, topicArn);
    const common = { of: `the alarm ${id}`, by: 'cloudwatch.amazonaws.com' };
    const context = { 'aws:sourcearn': arn, 'aws:sourceaccount': place.account };
    return [
      { ...common, action: 'sns:Publish', resource: topicArn, context },
      ...keyOf(topic, stack).flatMap((key) =>
        keyActions.map((action) => ({
          ...common,
          action,
          resource: key.arn ?? '',
          context: { 'kms:encryptioncontext:aws:sns:topicarn': topicArn },
        })),
      ),
    ];
  });
}

const roleOfFunction = (name: unknown, stack: readonly Resource[]): Resource =>
  byArn(stack, byRef(stack, name).properties.Role);

function destinationNeeds({ id, properties }: Resource, stack: readonly Resource[]): readonly Need[] {
  const queue = byArn(stack, at(properties, 'DestinationConfig', 'OnFailure', 'Destination'));
  return byRole(`failed runs (${id})`, roleOfFunction(properties.FunctionName, stack), queue, stack);
}

function sourceNeeds({ id, properties }: Resource, stack: readonly Resource[]): readonly Need[] {
  const queue = byArn(stack, properties.EventSourceArn);
  const common = { of: `the event source ${id}`, by: roleOfFunction(properties.FunctionName, stack) };
  return [
    ...['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => ({
      ...common,
      action: `sqs:${action}`,
      resource: queue.arn ?? '',
    })),
    ...keyOf(queue, stack).map((key) => ({
      ...common,
      action: 'kms:Decrypt',
      resource: key.arn ?? '',
      context: throughService('sqs'),
    })),
  ];
}

function scheduleNeeds({ id, properties }: Resource, stack: readonly Resource[]): readonly Need[] {
  const role = byArn(stack, at(properties, 'Target', 'RoleArn'));
  const queue = byArn(stack, at(properties, 'Target', 'DeadLetterConfig', 'Arn'));
  const resource = String(at(properties, 'Target', 'Arn'));
  return [
    { of: `the schedule ${id}`, by: role, action: 'lambda:InvokeFunction', resource },
    ...byRole(`missed runs (${id})`, role, queue, stack),
  ];
}

/** The services that take roles. */
function trustOf({ id, type, properties }: Resource, stack: readonly Resource[]): readonly string[] {
  const trusted = (service: string, arn: unknown, context = {}): readonly string[] =>
    untrusted({ of: id, role: byArn(stack, arn), service, context });
  switch (type) {
    case 'AWS::Lambda::Function':
      return trusted('lambda.amazonaws.com', properties.Role);
    case 'AWS::Scheduler::Schedule': {
      const group = byRef(stack, properties.GroupName);
      return trusted('scheduler.amazonaws.com', at(properties, 'Target', 'RoleArn'), {
        'aws:sourceaccount': place.account,
        'aws:sourcearn': group.arn ?? '',
      });
    }
    case 'AWS::KinesisFirehose::DeliveryStream':
      return trusted(
        'firehose.amazonaws.com',
        at(properties, 'ExtendedS3DestinationConfiguration', 'RoleARN'),
      );
    case 'AWS::SNS::Subscription':
      return listOf(properties.SubscriptionRoleArn).flatMap((arn) => trusted('sns.amazonaws.com', arn));
    default:
      return [];
  }
}
