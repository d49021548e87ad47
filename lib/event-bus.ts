import { Annotations, ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { CfnEventBusPolicy } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { EventBusEnvironment } from '../lambdas/functions/settings.ts';
import { BundledFunction, feed } from './bundled-function.ts';
import { encryptedQueue, subscribeQueue, takeFromTopics } from './dead-letters.ts';
import type { DeploymentParts } from './deployment-parts.ts';
import { admittedBy } from './event-topics.ts';
import { allow, keyGrant, takeFromQueue } from './grants.ts';
import type { Share } from './share-settings.ts';

interface EventBusProps extends DeploymentParts {
  /** The ARN of the bus, or its name where it is in the account and region of the deployment. */
  readonly bus: string;
}

const TIMEOUT = Duration.minutes(1);
const decryptQueue = { sid: 'DecryptQueue', actions: ['kms:Decrypt'], through: ['sqs'] };
/** With the time for which the queue hides a message, an event is tried for an hour. */
const ATTEMPTS = 10;

/**
 * Puts every published event on a bus of EventBridge: a queue that is subscribed to all topics, and the function that
 * empties it. A bus that refuses events never holds up the topics.
 */
export class EventBus extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: EventBusProps) {
    super(scope, id);
    const { bus, topics, key } = props;
    const { prefix, share } = props.settings;
    this.queue = this.queueOf(props);
    const busArn = bus.startsWith('arn:')
      ? bus
      : Stack.of(this).formatArn({
          service: 'events',
          resource: 'event-bus',
          resourceName: bus,
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
        });
    const environment: EventBusEnvironment = { EVENT_BUS_ARN: busArn, EVENT_SOURCE: prefix };
    const forward = new BundledFunction(this, 'event-bus', {
      ...props,
      name: 'event-bus',
      description: 'Puts the published events on a bus of EventBridge',
      entry: 'lambdas/functions/event-bus/handler.ts',
      environment,
      grants: [
        allow({ sid: 'PutOnBus', actions: ['events:PutEvents'], resources: [busArn] }),
        takeFromQueue(this.queue),
        ...(key ? [keyGrant(this, { ...decryptQueue, keyArn: key.keyArn })] : []),
      ],
      timeout: TIMEOUT,
      memoryMegabytes: 256,
    });
    feed(forward, this.queue, {
      reason:
        'What the bus does not take stays in the queue, and goes from there to the queue of undelivered messages.',
    });
    for (const [family, topic] of Object.entries(topics.families))
      subscribeQueue(this, `Subscription-${family}`, { ...props, topic, queue: this.queue });
    if (share) this.allowRules(bus, share, prefix);
  }

  /** Others may make rules for the events of this notifier alone, and change only rules of their own. */
  private allowRules(bus: string, share: Share, source: string): void {
    if (bus === 'default' || bus.startsWith('arn:')) {
      Annotations.of(this).addInfoV2(
        'gene-panel-notifier:bus-not-shared',
        `share is for the topics alone: the policy of the bus ${bus} is left as it is, because ${bus === 'default' ? 'it carries the events of other services too' : 'its owner decides'}. docs/guides/event-bus.md has the policy that lets others make rules`,
      );
      return;
    }
    const resource = { service: 'events', resource: 'rule', resourceName: `${bus}/*` };
    const resources = [Stack.of(this).formatArn(resource)];
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM's policies
    const creator = { 'events:creatorAccount': '${aws:PrincipalAccount}' };
    for (const { sid, principals, conditions } of admittedBy(share)) {
      const own = { principals: [...principals], resources };
      const statements = {
        Make: new PolicyStatement({
          ...own,
          actions: ['events:PutRule'],
          conditions: {
            ...(Object.keys(conditions).length > 0 && { StringEquals: conditions }),
            // Without a source, a rule would match what others put on the bus.
            Null: { 'events:source': 'false' },
            'ForAllValues:StringEquals': { 'events:source': [source] },
            // A rule that is not there yet has no creator.
            StringEqualsIfExists: creator,
          },
        }),
        Keep: new PolicyStatement({
          ...own,
          actions: ['DeleteRule', 'DescribeRule', 'ListTargetsByRule', 'PutTargets', 'RemoveTargets'].map(
            (action) => `events:${action}`,
          ),
          conditions: { StringEquals: { ...conditions, ...creator } },
        }),
      };
      for (const [what, statement] of Object.entries(statements))
        new CfnEventBusPolicy(this, `${what}RulesOf${sid}`, {
          eventBusName: bus,
          statementId: `${source}-${what}RulesOf${sid}`,
          statement: statement.toStatementJson(),
        });
    }
  }

  private queueOf({ settings: { prefix }, topics, deadLetters, key }: EventBusProps): Queue {
    const queue = encryptedQueue(this, 'Queue', {
      queueName: `${prefix}-event-bus`,
      key,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(6 * TIMEOUT.toSeconds()),
      deadLetterQueue: { queue: deadLetters.undelivered, maxReceiveCount: ATTEMPTS },
    });
    const sources = Object.values(topics.families).map(({ topicArn }) => topicArn);
    takeFromTopics(queue, 'TakeEvents', { ArnEquals: { 'aws:SourceArn': sources } });
    return queue;
  }
}
