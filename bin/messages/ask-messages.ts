import {
  answerMessages,
  type MessagesAnswer,
  type MessagesRequest,
  messagesAnswerSchema,
} from '../../lambdas/notify/kept-messages.ts';
import type { Io } from '../command.ts';
import { askNotify } from '../deployed/ask-notify.ts';
import type { StageValues } from '../deployed/find-stage.ts';
import { openForReading } from '../local/open-state.ts';
import { logLines } from '../log-lines.ts';
import { readStage } from '../settings-stage.ts';

/** Asks the outbox of this machine. A `watch` may run meanwhile: it sees the change at its next run. */
export async function askLocal(
  request: MessagesRequest,
  { config, state }: { readonly config: string; readonly state: string },
  io: Io,
): Promise<MessagesAnswer> {
  const { createSqliteItems } = await import('../../lambdas/store/items-sqlite.ts');
  const { openKeptMessages } = await import('../../lambdas/notify/kept-messages.ts');
  const { localPlan } = await import('../local/channels.ts');
  const { now } = io.clock;
  const settings = await readStage(config, { now: now() });
  const file = openForReading(state);
  try {
    const store = createSqliteItems(file, { what: 'the messages', now });
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
export const askDeployed = (
  request: MessagesRequest,
  values: StageValues,
  io: Pick<Io, 'clock'>,
): Promise<MessagesAnswer> =>
  askNotify(
    { request: { messages: request }, answer: messagesAnswerSchema, called: 'list of messages' },
    values,
    io,
  );
