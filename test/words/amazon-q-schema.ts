import * as z from 'zod';

/**
 * A custom notification of Amazon Q Developer in chat applications, by the event schema of
 * https://docs.aws.amazon.com/chatbot/latest/adminguide/custom-notifs.html: a message of another form is dropped
 * without an error. That page states no lengths; ours keep within the 3,000 characters of one text in Slack.
 */
export const amazonQSchema = z.strictObject({
  version: z.literal('1.0'),
  source: z.literal('custom'),
  id: z.string().min(1).optional(),
  content: z.strictObject({
    textType: z.literal('client-markdown'),
    title: z.string().min(1).max(1_000).optional(),
    description: z.string().min(1).max(3_000),
    nextSteps: z.array(z.string().min(1)).optional(),
    keywords: z.array(z.string().min(1).max(1_000)).optional(),
  }),
  metadata: z
    .strictObject({
      threadId: z
        .string()
        .regex(/^[\w.-]{1,250}$/)
        .optional(),
      summary: z.string().min(1).optional(),
      eventType: z.string().min(1).optional(),
      relatedResources: z.array(z.string()).optional(),
      additionalContext: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});
