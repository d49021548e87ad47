import * as z from 'zod';
import { ratingSchema } from '../events/changes.ts';
import { panelFactsSchema, someFactsSchema } from '../events/schemas.ts';
import { topics } from '../events/topics.ts';

/** What is kept as JSON, in DynamoDB and in SQLite: instants as text, maps as lists of entries. */

export const messageSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    topic: z.enum(topics),
    body: z.string(),
    attributes: z.record(
      z.string(),
      z.object({ type: z.enum(['String', 'Number', 'String.Array']), value: z.string() }),
    ),
  }),
);
const instantSchema = z.string().transform(BigInt);
const unpairedSchema = z.lazy(() =>
  z.object({
    form: z.string(),
    at: instantSchema,
    by: z.string().nullable(),
    to: ratingSchema.nullable(),
    until: instantSchema.optional(),
  }),
);
const originSchema = z.enum(['listing', 'snapshot']);
const wasSchema = z.lazy(() => z.object({ rating: ratingSchema, version: z.string().exactOptional() }));
export const entitySchema = z.lazy(() =>
  z.object({
    rating: ratingSchema.nullable(),
    at: instantSchema,
    unpaired: z.array(unpairedSchema),
    origin: originSchema.exactOptional(),
    version: z.string().exactOptional(),
    isRemoved: z.boolean().exactOptional(),
    was: wasSchema.exactOptional(),
  }),
);
const statedSchema = z.lazy(() =>
  z.object({
    at: instantSchema,
    facts: someFactsSchema,
    unknown: z.array(panelFactsSchema.unwrap().keyof()).exactOptional(),
    listedAt: instantSchema.exactOptional(),
  }),
);
export const panelSchema = z.lazy(() =>
  z.object({
    version: z.string().nullable(),
    at: instantSchema,
    stated: statedSchema.nullable(),
    origin: originSchema.exactOptional(),
  }),
);
const olderSchema = z.lazy(() =>
  z.object({
    before: instantSchema,
    count: z.number(),
    surfaced: z.number(),
    vanished: z.number(),
  }),
);
const searchSchema = z.lazy(() =>
  z.object({
    until: instantSchema,
    older: z.number().nullable(),
    since: instantSchema,
    deeperFrom: instantSchema,
    explained: z.boolean(),
    tries: z.number(),
  }),
);
const chunkFields = () => ({
  rows: z.array(z.object({ key: z.string(), at: instantSchema.nullable() })),
  entities: z.array(z.tuple([z.string(), entitySchema])).transform((entries) => new Map(entries)),
  panels: z.array(z.tuple([z.number(), panelSchema])).transform((entries) => new Map(entries)),
  next: z.object({
    mark: instantSchema,
    count: z.number().nullable(),
    waits: z.number(),
    gap: z.object({ at: instantSchema, polls: z.number() }).nullable(),
    covered: instantSchema.exactOptional(),
    older: olderSchema.nullable().exactOptional(),
    search: searchSchema.nullable().exactOptional(),
  }),
});
export const chunkSchema = z.lazy(() => z.object({ messages: z.array(messageSchema), ...chunkFields() }));
/** A chunk of which some messages, null here, are rows of the history. */
export const recordedChunkSchema = z.lazy(() =>
  z.object({ messages: z.array(messageSchema.nullable()), ...chunkFields() }),
);
const listedPanelSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    hashId: z.string().exactOptional(),
    facts: panelFactsSchema,
    versions: z.array(z.object({ version: z.string(), at: instantSchema })),
  }),
);
export const listingSchema = z.lazy(() =>
  z.object({
    panels: z.array(z.tuple([z.number(), listedPanelSchema])).transform((entries) => new Map(entries)),
    typeSlugs: z.array(z.tuple([z.string(), z.string()])).transform((entries) => new Map(entries)),
    readAt: instantSchema,
    listedAt: z.number(),
    requests: z.object({
      readings: z.array(z.number()),
      absent: z.array(z.number()),
      notBefore: z.number().nullable(),
    }),
  }),
);

export const positionSchema = z.lazy(() =>
  z.object({
    version: z.number(),
    mark: instantSchema,
    start: instantSchema,
    ledgerSince: instantSchema,
    count: z.number().nullable(),
    source: z.string(),
    waits: z.number(),
    gap: z.object({ at: instantSchema, polls: z.number() }).nullable(),
    older: olderSchema.nullable(),
    search: searchSchema.nullable(),
    notBefore: z.number().exactOptional(),
    covered: instantSchema.exactOptional(),
    moves: z
      .array(z.object({ version: z.number(), after: instantSchema, until: instantSchema }))
      .exactOptional(),
  }),
);
