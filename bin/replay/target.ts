import { UsageError } from '../command.ts';

/** A topic or queue, as its ARN names it. */
export interface Target {
  readonly service: 'sns' | 'sqs';
  readonly arn: string;
  readonly region: string;
  readonly account: string;
  readonly name: string;
}

/** @throws {UsageError} when the ARN names no standard SNS topic or SQS queue */
export function readTarget(option: string, arn: string): Target {
  const [, service, region = '', account = '', name = ''] =
    /^arn:[\w-]+:(sns|sqs|lambda):([\w-]+):(\d{12}):(?:function:)?([\w-]{1,256}(?:\.fifo)?)$/.exec(arn) ?? [];
  const given = `${option} ${JSON.stringify(arn)}`;
  if (service === 'lambda') {
    throw new UsageError(
      `${given}: replay sends to SNS topics and SQS queues. Name a queue or topic that invokes the function.`,
    );
  }
  if (name.endsWith('.fifo')) {
    throw new UsageError(`${given}: that is a FIFO topic or queue; expected a standard one`);
  }
  if (service === 'sns' || service === 'sqs') return { service, arn, region, account, name };
  throw new UsageError(
    `${given}: expected the ARN of an SNS topic or SQS queue, such as arn:aws:sqs:eu-west-2:123456789012:my-queue`,
  );
}
