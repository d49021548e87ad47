import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import { compileFilter, type Filter } from '../../lambdas/subscriptions/filter.ts';
import type { EventOutput, PrintedEvent } from '../output.ts';

/** An event whose body is parsed only when the event is read. */
function printedEvent(body: string): PrintedEvent {
  return {
    body,
    get event() {
      return JSON.parse(body) as PanelEvent;
    },
  };
}

/** A publisher that prints, and how many events it printed. */
interface PrintPublisher extends Publisher {
  readonly printed: number;
}

/** Creates a publisher that prints. An event counts as published once it is written. A filter limits what is printed. */
export function createPrintPublisher(output: EventOutput, filter: Filter = {}): PrintPublisher {
  const matches = compileFilter(filter);
  const all = Object.keys(filter).length === 0;
  let printed = 0;
  return {
    get printed() {
      return printed;
    },
    async publish(messages) {
      const events = messages.map(({ body }) => printedEvent(body));
      const wanted = all ? events : events.filter(({ event }) => matches(event));
      await output.write(wanted);
      printed += wanted.length;
      return [];
    },
  };
}
