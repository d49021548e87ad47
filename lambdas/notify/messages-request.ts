import * as z from 'zod';
import type { KeptMessages } from './kept-messages.ts';

const place = z.lazy(() => z.object({ subscription: z.string(), channel: z.string() }));

/** What a person asks of the messages that are kept. */
const requestSchema = z.lazy(() =>
  z.discriminatedUnion('verb', [
    z.object({ verb: z.literal('list') }),
    z.object({ verb: z.literal('send'), id: z.string() }),
    z.object({ verb: z.literal('drop'), id: z.string() }),
    z.object({ verb: z.literal('move'), from: place, to: place }),
  ]),
);

export type MessagesRequest = z.output<typeof requestSchema>;

const content = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('events'), events: z.array(z.string()) }),
    z.object({ kind: z.literal('digest'), period: z.object({ since: z.string(), until: z.string() }) }),
    z.object({
      kind: z.literal('alarm'),
      alarm: z.looseObject({ alarm: z.string(), state: z.enum(['alarm', 'ok']) }),
    }),
  ]),
);

/** The answer to a request: the list, or what became of the change. */
export const messagesAnswerSchema = z.lazy(() =>
  z.object({
    messages: z
      .array(
        z.object({
          id: z.string(),
          subscription: z.string(),
          channel: z.string(),
          state: z.enum(['waiting', 'failing', 'set-aside']),
          content,
          begun: z.number(),
          attempts: z.number(),
          notBefore: z.number(),
          reason: z.string().nullable(),
          orphaned: z.boolean(),
        }),
      )
      .exactOptional(),
    /** Whether there was such a message or place. */
    found: z.boolean(),
    /** Of a move: events that were handed over. */
    moved: z.number().exactOptional(),
  }),
);

export type MessagesAnswer = z.output<typeof messagesAnswerSchema>;

/** Reads a request; undefined where a value is none. */
export const messagesRequestIn = (value: unknown): MessagesRequest | undefined =>
  requestSchema.safeParse((value as { readonly messages?: unknown } | null)?.messages).data;

/** Does what a request asks. */
export async function answerMessages(request: MessagesRequest, kept: KeptMessages): Promise<MessagesAnswer> {
  switch (request.verb) {
    case 'list':
      return {
        found: true,
        messages: (await kept.list()).map((message) => ({
          ...message,
          content: { ...message.content },
        })) as never,
      };
    case 'send':
      return { found: await kept.send(request.id) };
    case 'drop':
      return { found: await kept.drop(request.id) };
    case 'move': {
      const moved = await kept.move(request.from, request.to);
      return moved === null ? { found: false } : { found: true, moved };
    }
    default:
      return request satisfies never;
  }
}
