import * as z from 'zod';
import { topics } from '../lambdas/events/topics.ts';
import { group, text, whateverElse } from './setting-kinds.ts';

/** The message attributes that SNS can filter on; the event contract lists them. */
export const filterKeys = [
  'type',
  'catalogue',
  'panelId',
  'entityType',
  'entityName',
  'ratingFrom',
  'ratingTo',
  'direction',
  'panelTypes',
  'relevantDisorders',
] as const;

const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** Values inside one key combine with OR, keys with AND; SNS allows five keys and 150 combinations. */
const filter = z
  .partialRecord(
    z.enum(filterKeys, { error: oneOf(filterKeys) }),
    z.array(z.union([z.string(), z.number()], { error: 'text or a number' })).min(1, {
      error: 'at least one value',
    }),
    { error: 'an object { attribute: [values] }' },
  )
  .refine((keys) => Object.keys(keys).length <= 5, { error: 'at most five keys, as SNS allows' })
  .refine((keys) => Object.values(keys).reduce((product, { length }) => product * length, 1) <= 150, {
    error: 'at most 150 combinations of values, as SNS allows',
  });

/** Where events of some topics go: an e-mail address or an SQS queue, all of them or those that a filter passes. */
export const subscriptionSchema = group({
  topics: z
    .array(z.enum(topics, { error: oneOf(topics) }), { error: `a list of topics: ${topics.join(', ')}` })
    .min(1, { error: 'at least one topic' }),
  email: z.email({ error: "an e-mail address, such as 'genetics@example.org'" }).optional(),
  queue: text(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[\w-]+$/, 'the ARN of an SQS queue').optional(),
  filter: filter.default({}),
}).refine(({ email, queue }) => (email === undefined) !== (queue === undefined), {
  ...whateverElse,
  path: ['email'],
  error: 'an address here or a queue, one of the two',
});

export type Subscription = z.output<typeof subscriptionSchema>;
