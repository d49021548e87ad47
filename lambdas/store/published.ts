import * as z from 'zod';
import type { PanelEvent } from '../events/schemas.ts';
import { splitBody, withoutRows } from '../events/split-body.ts';
import type { Message } from '../publishing/message.ts';

/** The events that the poller published after a version of the position, oldest first. */
export interface Published {
  /** The version after which the next reading goes on. */
  readonly version: number;
  readonly events: readonly PublishedEvent[];
}

/** An event without its rows, and the version of the position with which it was published. */
export interface PublishedEvent {
  readonly version: number;
  readonly event: PanelEvent;
}

const eventSchema = z.lazy(() =>
  z.looseObject({
    id: z.string(),
    type: z.string(),
    time: z.string().optional(),
    data: z.looseObject({ change: z.looseObject({}) }),
  }),
);

/** An event as it is, with its fields in their order: what is published again is so byte for byte. */
const eventAsItIs = z.unknown().transform((event) => {
  eventSchema.parse(event);
  return event as z.infer<typeof eventSchema>;
});

/** Events as they are kept without their rows. They were published by this project, so that their kinds are known. */
export const eventsSchema = z.lazy(() =>
  z
    .array(eventAsItIs)
    .transform((events) =>
      events.map((event) => ({ ...event, data: { ...event.data, activities: [] } }) as unknown as PanelEvent),
    ),
);

/** The events of messages as JSON, without their rows. */
export const eventsJson = (messages: readonly Message[]): string =>
  `[${messages.map(({ body }) => withoutRows(splitBody(body))).join(',')}]`;

/** The events of messages, without their rows. */
export const eventsIn = (messages: readonly Message[]): readonly PanelEvent[] =>
  eventsSchema.parse(JSON.parse(eventsJson(messages)));

/** How long they are kept, in seconds. Sweeps read them every hour, and may fail for two months. */
export const PUBLISHED_SECONDS = 90 * 86_400;

/** How many chunks a file keeps however old they are: after a long outage, polls catch up before the first sweep. */
export const LEAST_PUBLISHED = 2_000;
