import {
  answerMessages,
  type MessagesAnswer,
  type MessagesRequest,
  messagesAnswerSchema,
} from '../../lambdas/notify/messages-request.ts';
import type { Io } from '../command.ts';
import { awsProblem } from '../deployed/aws-problem.ts';
import { DeployedStageError } from '../deployed/deployed-stage-error.ts';
import { findStage, type StageValues } from '../deployed/find-stage.ts';
import { openForReading } from '../local/open-state.ts';
import { logLines } from '../log-lines.ts';
import { readStage } from '../settings-stage.ts';

/** Asks the outbox of this machine. A `watch` may run meanwhile: it sees the change at its next run. */
export async function askLocal(
  request: MessagesRequest,
  { config, state }: { readonly config: string; readonly state: string },
  io: Io,
): Promise<MessagesAnswer> {
  const { sqliteOutbox } = await import('../../lambdas/notify/sqlite-outbox.ts');
  const { openKeptMessages } = await import('../../lambdas/notify/kept-messages.ts');
  const { localPlan } = await import('../local/channels.ts');
  const { now } = io.clock;
  const settings = await readStage(config, { now: now() });
  const file = openForReading(state);
  try {
    const store = sqliteOutbox({ file, now });
    const kept = openKeptMessages(localPlan(settings).plan, { store, now, log: logLines(io) });
    return await answerMessages(request, kept);
  } finally {
    file.close();
  }
}

/**
 * Asks the function that sends the messages of a deployed stage.
 * @throws {DeployedStageError} when it cannot be called, or gives no answer
 */
export async function askDeployed(
  request: MessagesRequest,
  values: StageValues,
  io: Pick<Io, 'clock'>,
): Promise<MessagesAnswer> {
  const { stack, region } = await findStage(values, io);
  const FunctionName = `${stack}-notify`;
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ region });
  try {
    const Payload = Buffer.from(JSON.stringify({ messages: request }));
    const response = await client.send(new InvokeCommand({ FunctionName, Payload }));
    const text = Buffer.from(response.Payload ?? []).toString();
    const { data } = messagesAnswerSchema.safeParse(JSON.parse(text || 'null'));
    if (data) return data;
    throw new DeployedStageError(
      `The function ${FunctionName} gave no list of messages${response.FunctionError ? ': it failed, see its log' : ''}. Deploy it with this version of the notifier, then try again.`,
    );
  } catch (cause) {
    if (cause instanceof DeployedStageError) throw cause;
    const { seen, remedy } = awsProblem(cause);
    throw new DeployedStageError(`Calling the function ${FunctionName}: ${seen}. ${remedy}`, { cause });
  } finally {
    client.destroy();
  }
}
