import * as z from 'zod';

/**
 * What an incoming webhook of Slack accepts, as far as our messages use it, with the limits of
 * https://docs.slack.dev/reference/block-kit/blocks and .../block-elements/button-element. Anything else is an error,
 * `mrkdwn` above all: no text of ours may be parsed.
 */
const plain = (longest: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z
      .string()
      .min(1)
      .max(longest)
      .regex(/^(?:[^<>&]|&(?:amp|lt|gt);)*$/),
    emoji: z.literal(false),
  });
const style = z.strictObject({ bold: z.literal(true) });
const richElement = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: style.optional() }),
  z.strictObject({
    type: z.literal('link'),
    url: z.url({ protocol: /^https$/ }).max(3_000),
    text: z.string().min(1),
    style: style.optional(),
  }),
]);
const richText = z
  .strictObject({
    type: z.literal('rich_text'),
    elements: z
      .array(
        z.strictObject({
          type: z.enum(['rich_text_section', 'rich_text_quote']),
          elements: z.array(richElement).min(1),
        }),
      )
      .min(1),
  })
  .refine(
    ({ elements }) =>
      elements.flatMap((each) => each.elements.map(({ text }) => text)).join('').length <= 3_000,
    'at most 3,000 characters in a block',
  );
const section = z.union([
  z.strictObject({ type: z.literal('section'), text: plain(3_000) }),
  z.strictObject({ type: z.literal('section'), fields: z.array(plain(2_000)).min(1).max(10) }),
]);

export const slackSchema = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(3_000)
    .regex(/^[^<>]*$/),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal('header'), text: plain(150) }),
        section,
        z.strictObject({ type: z.literal('context'), elements: z.array(plain(2_000)).min(1).max(10) }),
        z.strictObject({
          type: z.literal('actions'),
          elements: z
            .array(
              z.strictObject({
                type: z.literal('button'),
                text: plain(75),
                url: z.url({ protocol: /^https$/ }).max(3_000),
              }),
            )
            .min(1)
            .max(25),
        }),
        richText,
      ]),
    )
    .min(1)
    .max(50),
});
