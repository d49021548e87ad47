import * as z from 'zod';

/** The environment variables of event-bus; the deployment writes them under the same names (`lib/event-bus.ts`). */
export const eventBusSettings = z.object({
  EVENT_BUS_ARN: z.string().regex(/^arn:[\w-]+:events:[\w-]+:\d{12}:event-bus\/[\w./-]{1,256}$/),
  /** The `source` of every entry: the deployment's prefix, by which a rule distinguishes stages. */
  EVENT_SOURCE: z.string().min(1),
});

export type EventBusEnvironment = z.input<typeof eventBusSettings>;
