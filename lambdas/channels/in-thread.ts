import * as z from 'zod';
import { WebhookError } from '../catalogue/http/post-json.ts';
import type { Notice } from '../words/notice.ts';
import type { Sending } from './channel.ts';
import type { ChannelKind } from './channel-settings.ts';

/** Days for which the first message of a thread is remembered after its newest. */
const REMEMBERED_DAYS = 400;

const firstSchema = z.string().min(1);

/** What a service says of a new message: its id, null where it is unknown, and the answer as it is kept. */
export interface Posted {
  readonly id: string | null;
  readonly answer: string;
}

/**
 * Posts a message into the thread of those about the same panel; the first message of a thread begins it. Where the
 * receiver refuses the reply, because somebody deleted the first message, the message begins a new thread.
 * @param post posts, as a reply where a first message is given
 * @returns what the receiver answered
 */
export async function inThread<Kind extends ChannelKind>(
  { thread: { id: thread } }: Notice,
  { memory, context: { log } }: Pick<Sending<Kind>, 'memory' | 'context'>,
  post: (first: string | null) => Promise<Posted>,
): Promise<string> {
  const key = `thread#${thread}`;
  const first = firstSchema.safeParse(await memory.get(key)).data ?? null;
  const remember = async (id: string): Promise<void> => {
    try {
      await memory.set(key, id, { days: REMEMBERED_DAYS });
    } catch (error) {
      // The message was sent. Without its thread, the next one begins a new thread.
      log.warn('The thread of a message could not be remembered', { thread, error });
    }
  };
  try {
    const { id, answer } = await post(first);
    const kept = first ?? id;
    if (kept !== null) await remember(kept);
    return answer;
  } catch (error) {
    if (first === null || !isRefusal(error)) throw error;
    log.warn('A reply was refused; the message begins a new thread', { thread, error });
    const { id, answer } = await post(null);
    if (id !== null) await remember(id);
    return answer;
  }
}

/** Whether the receiver answered that it does not take this request: a reply to a message that is gone. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WebhookError &&
  error.condition === 'REQUEST_REFUSED' &&
  error.status !== null &&
  error.status !== 401 &&
  error.status !== 403 &&
  error.status < 500;
