import { GetQueueUrlCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Clients } from './clients.ts';
import type { DeployedFunction } from './deployed-function.ts';
import type { Outcome, Runtime } from './runtime.ts';

/**
 * Starts a run as the scheduler does, asynchronously: Lambda repeats a failed one as often as the deployment
 * says, and leaves it in the queue that the deployment names.
 */
export async function startRun(
  runtime: Runtime,
  { deployed, clients: { sqs } }: { readonly deployed: DeployedFunction; readonly clients: Clients },
): Promise<Outcome> {
  const { retries, queueArn } = deployed.onFailure;
  let outcome = await runtime.invoke({});
  for (let repeat = 0; !outcome.ok && repeat < retries; repeat += 1) outcome = await runtime.invoke({});
  if (outcome.ok) return outcome;
  const [, , , , account = '', name = ''] = queueArn.split(':');
  const { QueueUrl } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account }),
  );
  const requestContext = { condition: 'RetriesExhausted', approximateInvokeCount: retries + 1 };
  const letter = { version: '1.0', requestContext, requestPayload: {}, responsePayload: outcome.error };
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(letter) }));
  return outcome;
}
