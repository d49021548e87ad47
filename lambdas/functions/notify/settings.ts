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
