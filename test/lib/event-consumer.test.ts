import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import { EventConsumer, type EventConsumerProps } from '../../lib/event-consumer.ts';
import { app } from './deploy.ts';

function consume(filter: EventConsumerProps['filter'] = {}): Template {
  const stack = new Stack(app(), 'Consumer');
  const handler = new LambdaFunction(stack, 'Function', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {}'),
  });
  const topics = {
    classifications: new Topic(stack, 'Classifications'),
    promotions: new Topic(stack, 'Promotions'),
  };
  new EventConsumer(stack, 'Reanalysis', { topics, function: handler, filter });
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

  test('has an alarm on its dead letters, and waits six times the timeout', () => {
    const template = consume();
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 180,
      RedrivePolicy: { maxReceiveCount: 5 },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'ApproximateNumberOfMessagesVisible',
      TreatMissingData: 'notBreaching',
    });
  });

  test('subscribes with the filter to the topics whose events can match', () => {
    const template = consume({ to: ['green'], direction: ['upgraded', 'new'] });
    template.resourceCountIs('AWS::SNS::Subscription', 1);
    template.hasResourceProperties('AWS::SNS::Subscription', {
      FilterPolicy: { ratingTo: ['green'], direction: ['upgraded', 'new'] },
    });
  });

  test('refuses a filter that no event of its topics can match', () => {
    expect(() => consume({ topics: ['tags'] })).toThrow(/no event of the topics classifications, promotions/);
  });

  test('refuses a filter with an unknown key', () => {
    expect(() => consume({ ratings: ['green'] } as never)).toThrow(/ratings/);
  });
});
