import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { AwsEnvironment } from './cdk.ts';

export type Clients = ReturnType<typeof createClients>;

/** One client for each service that the checks speak to. */
export function createClients(environment: AwsEnvironment) {
  const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
  const options = {
    endpoint: AWS_ENDPOINT_URL,
    region: AWS_REGION,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  };
  return {
    cloudFormation: new CloudFormationClient(options),
    cloudWatch: new CloudWatchClient(options),
    dynamodb: new DynamoDBClient(options),
    eventBridge: new EventBridgeClient(options),
    lambda: new LambdaClient(options),
    s3: new S3Client({ ...options, forcePathStyle: true }),
    scheduler: new SchedulerClient(options),
    secrets: new SecretsManagerClient(options),
    sns: new SNSClient(options),
    // The emulators name queues by addresses of AWS; the endpoint is what answers.
    sqs: new SQSClient({ ...options, useQueueUrlAsEndpoint: false }),
  };
}
