import * as z from 'zod';
import { topics } from '../lambdas/events/topics.ts';
import { filterSchema, heldBack } from './filter-settings.ts';
import { alsoWithErrors, group, text } from './setting-kinds.ts';

const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** Where events of some topics go: an e-mail address or an SQS queue, all of them or those that a filter passes. */
export const queueSubscriptionSchema = group({
  topics: z
    .array(z.enum(topics, { error: oneOf(topics) }), { error: `a list of topics: ${topics.join(', ')}` })
    .min(1, { error: 'at least one topic' }),
  email: z.email({ error: "an e-mail address, such as 'genetics@example.org'" }).optional(),
  queue: text(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[\w-]+$/, 'the ARN of an SQS queue').optional(),
  filter: filterSchema.default({}),
})
  .refine(({ email, queue }) => (email === undefined) !== (queue === undefined), {
    ...alsoWithErrors,
    path: ['email'],
    error: 'either an e-mail address or a queue',
  })
  .superRefine(({ topics: named, filter }, { addIssue }) => {
    const known = topics.filter((topic) => [named].flat().includes(topic));
    for (const { name, wanted } of heldBack(known, Object(filter))) {
      addIssue({ code: 'custom', path: ['filter', name], message: wanted });
    }
  }, alsoWithErrors);

export type QueueSubscription = z.output<typeof queueSubscriptionSchema>;
