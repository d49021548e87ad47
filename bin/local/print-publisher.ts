import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import { compileFilter, type Filter } from '../../lambdas/subscriptions/filter.ts';
import type { EventOutput } from '../output.ts';

/** A publisher that prints: an event counts as published once it was written. A filter limits what is printed. */
export function createPrintPublisher(output: EventOutput, filter: Filter = {}): Publisher {
  const matches = compileFilter(filter);
  return {
    async publish(messages) {
      const events = messages
        .map(({ body }) => ({ body, event: JSON.parse(body) as PanelEvent }))
        .filter(({ event }) => matches(event));
      await output.write(events);
      return [];
    },
  };
}
