import * as z from 'zod';
import { WebhookError } from '../catalogue/http/post-json.ts';
import type { Notice } from '../words/notice.ts';
import type { Sending } from './channel.ts';
import type { ChannelKind } from './channel-settings.ts';

/** Days for which the first message of a thread is remembered after its newest. */
const REMEMBERED_DAYS = 400;

const firstSchema = z.string().min(1);

/**
 * Posts a message into the thread of those about the same panel; the first message of a thread begins it. Where the
 * receiver refuses the reply, because somebody deleted the first message, the message begins a new thread.
 * @param post posts, as a reply where a first message is given; returns the id of the new message, null where it is unknown
 */
export async function inThread<Kind extends ChannelKind>(
  { thread: { id: thread } }: Notice,
  { memory, context: { log } }: Pick<Sending<Kind>, 'memory' | 'context'>,
  post: (first: string | null) => Promise<string | null>,
): Promise<void> {
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
  let begun: string | null;
  try {
    begun = await post(first);
  } catch (error) {
    if (first === null || !isRefusal(error)) throw error;
    log.warn('A reply was refused; the message begins a new thread', { thread, error });
    begun = await post(null);
    if (begun !== null) await remember(begun);
    return;
  }
  const kept = first ?? begun;
  if (kept !== null) await remember(kept);
}

/** Whether the receiver answered that it does not take this request: a reply to a message that is gone. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WebhookError &&
  error.condition === 'REQUEST_REFUSED' &&
  error.status !== null &&
  error.status !== 401 &&
  error.status !== 403 &&
  error.status < 500;
