import { PutMetricAlarmCommand } from '@aws-sdk/client-cloudwatch';
import {
  AddPermissionCommand,
  CreateEventSourceMappingCommand,
  PublishLayerVersionCommand,
  PutFunctionEventInvokeConfigCommand,
} from '@aws-sdk/client-lambda';
import { CreateScheduleCommand, CreateScheduleGroupCommand } from '@aws-sdk/client-scheduler';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { SetTopicAttributesCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Clients } from './clients.ts';

/** A resource's properties, its references filled in. */
type Properties = Readonly<Record<string, unknown>>;

/** Makes one resource with the SDK and returns what `Ref` would. */
type Maker = (clients: Clients, properties: Properties, id: string) => Promise<string>;

/**
 * What an emulator's CloudFormation may leave out, and the call of the SDK that makes it instead. The
 * properties of these types are those of the call, or nearly so, which is why they can be handed on; what
 * CloudFormation makes itself is not touched.
 */
export const makers: Readonly<Record<string, Maker>> = {
  // Requests reach the function from the checks themselves, in the form of an HTTP API.
  ...Object.fromEntries(
    ['Api', 'Integration', 'Route', 'Stage'].map((kind): [string, Maker] => [
      `AWS::ApiGatewayV2::${kind}`,
      async (_clients, _properties, id) => id,
    ]),
  ),
  'AWS::CloudWatch::Alarm': async ({ cloudWatch }, properties) => {
    await cloudWatch.send(new PutMetricAlarmCommand(input(properties)));
    return String(properties.AlarmName);
  },
  'AWS::Lambda::EventInvokeConfig': async ({ lambda }, properties, id) => {
    await lambda.send(new PutFunctionEventInvokeConfigCommand(input(properties)));
    return id;
  },
  'AWS::Lambda::EventSourceMapping': async ({ lambda }, properties) => {
    const made = await lambda.send(new CreateEventSourceMappingCommand(input(properties)));
    return made.UUID ?? '';
  },
  'AWS::Lambda::LayerVersion': async ({ lambda }, { Content, Description }, LayerName) => {
    const layer = { LayerName, Content, Description };
    const made = await lambda.send(new PublishLayerVersionCommand(input(layer)));
    return made.LayerVersionArn ?? '';
  },
  'AWS::Lambda::Permission': async ({ lambda }, properties, id) => {
    await lambda.send(new AddPermissionCommand(input({ ...properties, StatementId: id })));
    return id;
  },
  'AWS::SNS::Subscription': async ({ sns }, { TopicArn, Protocol, Endpoint, ...attributes }) => {
    const Attributes = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    const made = await sns.send(new SubscribeCommand(input({ TopicArn, Protocol, Endpoint, Attributes })));
    return made.SubscriptionArn ?? '';
  },
  'AWS::SNS::TopicPolicy': async ({ sns }, { Topics, PolicyDocument }, id) => {
    const policy = { AttributeName: 'Policy', AttributeValue: JSON.stringify(PolicyDocument) };
    for (const TopicArn of list(Topics))
      await sns.send(new SetTopicAttributesCommand({ TopicArn, ...policy }));
    return id;
  },
  'AWS::SQS::QueuePolicy': async ({ sqs }, { Queues, PolicyDocument }, id) => {
    const Attributes = { Policy: JSON.stringify(PolicyDocument) };
    for (const QueueUrl of list(Queues))
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    return id;
  },
  'AWS::Scheduler::ScheduleGroup': async ({ scheduler }, properties) => {
    await scheduler.send(new CreateScheduleGroupCommand(input(properties)));
    return String(properties.Name);
  },
  'AWS::Scheduler::Schedule': async ({ scheduler }, properties) => {
    await scheduler.send(new CreateScheduleCommand(input(properties)));
    return String(properties.Name);
  },
  'AWS::SecretsManager::Secret': async ({ secrets }, { Description }, id) => {
    const secret = { Name: id, Description, SecretString: 'a random text, as CloudFormation makes it' };
    const { ARN = '' } = await secrets.send(new CreateSecretCommand(input(secret)));
    return ARN;
  },
};

/**
 * What is left out here too. moto reads no conditions of a bucket's policy, so the one that refuses requests without
 * TLS would refuse all.
 */
export const leftOut: ReadonlySet<string> = new Set(['AWS::S3::BucketPolicy']);

/** The template's properties have the shape of the call's input; the emulator checks what the compiler cannot. */
const input = <Input>(properties: Properties): Input => properties as Input;

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
