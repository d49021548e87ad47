import * as z from 'zod';
import {
  type AttributeName,
  attributeNames,
  type MessageAttribute,
  messageAttributes,
} from '../lambdas/events/attributes.ts';
import { eventKinds } from '../lambdas/events/changes.ts';
import { type Topic, topics } from '../lambdas/events/kinds.ts';
import { typeName } from '../lambdas/events/schemas.ts';
import { alsoWithErrors, group, text } from './setting-kinds.ts';

const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** SNS's own matchers, where a plain value does not do. */
const exists = z.strictObject({ exists: z.boolean() });
const ofText = [
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ suffix: z.string() }),
  z.strictObject({ wildcard: z.string() }),
] as const;
const ofNumbers = z.strictObject({
  numeric: z.array(z.union([z.enum(['=', '<', '<=', '>', '>=']), z.number()])).min(2),
});
const anythingBut = <Value extends z.ZodType>(value: Value) => z.strictObject({ 'anything-but': value });

const numbers = z.union(
  [z.number(), ofNumbers, anythingBut(z.union([z.number(), z.array(z.number()).min(1)])), exists],
  { error: "a number, or a matcher such as { numeric: ['>=', 100] } or { exists: false }" },
);

/** Texts, and for attributes with a closed set those alone. */
function texts({ values }: MessageAttribute) {
  const value = values ? z.enum(values as readonly [string, ...string[]]) : z.string();
  const error = values
    ? `one of ${values.join(', ')}, or a matcher such as { 'anything-but': […] } or { exists: false }`
    : "text, or a matcher such as { prefix: '…' } or { exists: false }";
  const others = anythingBut(z.union([value, z.array(value).min(1), ...ofText]));
  const inAnyCase = z.strictObject({ 'equals-ignore-case': z.string() });
  return z.union([value, ...ofText, inAnyCase, others, exists], { error });
}

const valuesOf = (attribute: MessageAttribute) =>
  z
    .array(attribute.type === 'Number' ? numbers : texts(attribute), { error: 'a list of values' })
    .min(1, { error: 'at least one value' })
    .exactOptional();

const shape = Object.fromEntries(
  attributeNames.map((name) => [name, valuesOf(messageAttributes[name])]),
) as Readonly<Record<AttributeName, ReturnType<typeof valuesOf>>>;

/** Values inside one key combine with OR, keys with AND; SNS allows five keys and 150 combinations. */
const policySchema = group(shape)
  .refine((filter) => Object.keys(filter).length <= 5, { error: 'at most five keys, as SNS allows' })
  .refine((filter) => Object.values(filter).reduce((product, { length }) => product * length, 1) <= 150, {
    error: 'at most 150 combinations of values, as SNS allows',
  });

/** Where events of some topics go: an e-mail address or an SQS queue, all of them or those that a filter passes. */
export const queueSubscriptionSchema = group({
  topics: z
    .array(z.enum(topics, { error: oneOf(topics) }), { error: `a list of topics: ${topics.join(', ')}` })
    .min(1, { error: 'at least one topic' }),
  email: z.email({ error: "an e-mail address, such as 'genetics@example.org'" }).optional(),
  queue: text(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[\w-]+$/, 'the ARN of an SQS queue').optional(),
  filter: policySchema.default({}),
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

type Filter = Readonly<Record<string, unknown>>;

/** The attributes by which a filter excludes every event of some of the topics, and what to write instead. */
function heldBack(named: readonly Topic[], filter: Filter) {
  return attributeNames.flatMap((name) => {
    const values = filter[name];
    if (!Array.isArray(values) || values.some(passesAbsence)) return [];
    const carriers = topics.filter((topic) => carries(topic, name, filter));
    const held = named.filter((topic) => !carriers.includes(topic));
    // A type that is misspelt or of another topic is reported once, not again for each further attribute.
    const byType = name !== 'type' && held.some((topic) => !carries(topic, 'type', filter));
    if (held.length === 0 || carriers.length === 0 || byType) return [];
    const which = held.join(' and ');
    const remedy =
      held.length < named.length
        ? `make two subscriptions, one for ${which} without ${name}`
        : `leave ${name} out, or name a topic whose events carry it: ${carriers.join(', ')}`;
    const wanted = `a filter that events of every topic can match: those of ${which} never match it, so none would be delivered; ${remedy}`;
    return [{ name, wanted }];
  });
}

const passesAbsence = (value: unknown): boolean => exists.safeParse(value).data?.exists === false;

/** Whether an event of the topic, of a type that the filter lets pass, can carry the attribute. */
function carries(topic: Topic, name: AttributeName, { type: wanted }: Filter): boolean {
  return messageAttributes[name].on.some((kind) => {
    const passes =
      !Array.isArray(wanted) || wanted.some((value) => typeof value !== 'string' || value === typeName(kind));
    return passes && eventKinds[kind].topic === topic;
  });
}
