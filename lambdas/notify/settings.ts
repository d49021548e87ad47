import { hash } from 'node:crypto';
import * as z from 'zod';

/** The environment variables of notify; the deployment writes them under the same names (`lib/messages.ts`). */
export const notifySettings = z.object({
  TABLE_NAME: z.string().min(1),
  HISTORY_TABLE_NAME: z.string().min(1),
  /** A JSON file with the `NotifyPlan`. */
  PLAN_FILE: z.string().min(1),
  /** The prefix of the ARNs of the topics of mail and of Amazon Q. */
  TOPIC_PREFIX: z.string().startsWith('arn:'),
  /** Who gets the alarms by mail; absent where the settings name no address. */
  ALARM_EMAIL: z.string().min(1).optional(),
  DEAD_LETTER_QUEUE: z.url(),
  METRICS_NAMESPACE: z.string().min(1),
  /** The secret of the channels; absent where no channel needs one. */
  SECRET_ID: z.string().min(1).optional(),
  /** The bucket of feeds; absent where there is none. */
  FEED_BUCKET: z.string().min(1).optional(),
});

export type NotifyEnvironment = z.input<typeof notifySettings>;

/** The last parts of the ARNs of a subscription's own topics. */
export const mailTopic = (subscription: string): string => `mail-${subscription}`;
/** The attribute of a mail's message that says for which address it is. */
export const ADDRESS = 'address';
/** Names a mail address in attributes and filter policies, which SNS does not encrypt. */
export const addressKey = (address: string): string =>
  hash('sha256', address.toLowerCase(), 'hex').slice(0, 16);
/** The name of the topic through which a subscription reaches Amazon Q. */
export const chatTopic = (subscription: string): string => `chat-${subscription}`;
