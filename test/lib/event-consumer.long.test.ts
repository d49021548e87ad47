import { Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { EventConsumer, type EventConsumerProps } from '../../lib/event-consumer.ts';
import { app } from './deploy.ts';

interface Consumed {
  readonly filter?: EventConsumerProps['filter'];
  /** Of the function; Lambda's own where undefined. */
  readonly seconds?: number;
  readonly stated?: number;
}

function consume({ filter = {}, seconds, stated }: Consumed = {}): Template {
  const stack = new Stack(app(), 'Consumer');
  const handler = new LambdaFunction(stack, 'Function', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {}'),
    ...(seconds !== undefined && { timeout: Duration.seconds(seconds) }),
  });
  const topics = {
    classifications: new Topic(stack, 'Classifications'),
    promotions: new Topic(stack, 'Promotions'),
  };
  new EventConsumer(stack, 'Reanalysis', {
    topics,
    function: handler,
    filter,
    ...(stated !== undefined && { timeout: Duration.seconds(stated) }),
  });
  return Template.fromStack(stack);
}

describe('a consumer of events', () => {
  test('gets the events of each topic through a queue, unchanged', () => {
    const template = consume();
    template.resourceCountIs('AWS::SNS::Subscription', 2);
    template.allResourcesProperties('AWS::SNS::Subscription', {
      Protocol: 'sqs',
      RawMessageDelivery: true,
      FilterPolicy: Match.absent(),
      RedrivePolicy: { deadLetterTargetArn: Match.anyValue() },
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  test.each([
    ['the function states one', { seconds: 120 }, 720],
    ['the function states none', {}, 18],
    ['a longer one is given', { seconds: 20, stated: 30 }, 180],
  ])('waits six times the timeout where %s', (_, timeouts, VisibilityTimeout) => {
    consume(timeouts).hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout });
  });

  test('refuses a timeout that is shorter than that of the function', () => {
    expect(() => consume({ seconds: 60, stated: 30 })).toThrow(
      /timeout: saw 30 seconds, expected at least those of the function, 60/,
    );
  });

  test('has an alarm on its dead letters', () => {
    const template = consume();
    template.hasResourceProperties('AWS::SQS::Queue', {
      RedrivePolicy: { maxReceiveCount: 5 },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'ApproximateNumberOfMessagesVisible',
      TreatMissingData: 'notBreaching',
    });
  });

  test('subscribes with the filter to the topics whose events can match', () => {
    const template = consume({ filter: { to: ['green'], direction: ['upgraded', 'new'] } });
    template.resourceCountIs('AWS::SNS::Subscription', 1);
    template.hasResourceProperties('AWS::SNS::Subscription', {
      FilterPolicy: { ratingTo: ['green'], direction: ['upgraded', 'new'] },
    });
  });

  test('refuses a filter that no event of its topics can match', () => {
    expect(() => consume({ filter: { topics: ['tags'] } })).toThrow(
      /no event of the topics classifications, promotions/,
    );
  });

  test('refuses a filter with an unknown key', () => {
    expect(() => consume({ filter: { ratings: ['green'] } as never })).toThrow(/ratings/);
  });
});
