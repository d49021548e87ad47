import * as z from 'zod';

/** The environment variables of notify; the deployment writes them under the same names (`lib/messages.ts`). */
export const notifySettings = z.object({
  TABLE_NAME: z.string().min(1),
  HISTORY_TABLE_NAME: z.string().min(1),
  /** A JSON file with the `NotifyPlan`. */
  PLAN_FILE: z.string().min(1),
  TOPIC_PREFIX: z.string().startsWith('arn:'),
  ALARM_EMAIL: z.string().min(1).optional(),
  DEAD_LETTER_QUEUE: z.url(),
  METRICS_NAMESPACE: z.string().min(1),
  SECRET_ID: z.string().min(1).optional(),
  FEED_BUCKET: z.string().min(1).optional(),
});

export type NotifyEnvironment = z.input<typeof notifySettings>;
