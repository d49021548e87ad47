import type { Message } from '../publishing/message.ts';
import { messageOfBody } from '../publishing/to-message.ts';
import { formatInstant, type Instant, instantOf, later } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { Position } from '../store/position.ts';
import type { Rollback } from '../store/store.ts';
import type { PollOptions } from './poll-options.ts';

/** What the history held when this poll began to publish. */
interface KeptHistory {
  /** Why state and history do not belong together, where one of them was restored without the other; else null. */
  difference(position: Position): Promise<Rollback | null>;
  /** Messages with the bodies that the history keeps under their ids: what was published once is published alike. */
  withFirstBodies(messages: readonly Message[], times: readonly Instant[]): Promise<readonly Message[]>;
}

/** The shortest time for which events can be kept: what is older may have expired. */
const KEPT_AT_LEAST = instantOf(30 * 24 * 60 * 60 * 1000);

/** The history as it is when the first rows are to be published; without a history, nothing differs. */
export function createKeptHistory({ history, name, clock }: PollOptions): KeptHistory {
  if (!history) return { difference: async () => null, withFirstBodies: async (messages) => messages };
  let end: Promise<Instant | null> | undefined;
  const endOf = (): Promise<Instant | null> => {
    end ??= history.coverage().then((periods) => {
      const own = periods.filter(({ catalogue }) => catalogue === name).map(({ until }) => until);
      return own.length === 0 ? null : own.reduce(later);
    });
    return end;
  };
  return {
    async difference({ covered, mark }) {
      if (covered === undefined) return null;
      const until = await endOf();
      if (until === covered || (until === null && covered < instantOf(clock.now()) - KEPT_AT_LEAST))
        return null;
      if (until !== null && until > covered) {
        return {
          found: `The history goes on after the state: it holds events up to ${formatInstant(until)}, and this state wrote events up to ${formatInstant(covered)}. The state was restored without the history, or to an earlier time.`,
          mark: later(until, mark),
        };
      }
      return {
        found: `The history ends before the state: it holds events up to ${until === null ? 'no time at all' : formatInstant(until)}, and this state wrote events up to ${formatInstant(covered)}. The history was restored without the state, or to an earlier time: the events between are missing in it. "mark --set" with the earlier time publishes and keeps them again.`,
        mark: null,
      };
    },
    async withFirstBodies(messages, times) {
      const until = await endOf();
      if (until === null || times.every((at) => at > until)) return messages;
      const bodies = await history.bodiesOf(messages);
      return messages.map((message) => firstOf(message, bodies));
    },
  };
}

/** A message with the body that is kept under its id. */
function firstOf(message: Message, bodies: Awaited<ReturnType<History['bodiesOf']>>): Message {
  const body = bodies.get(message.id);
  if (body === undefined || body === message.body) return message;
  return messageOfBody(body);
}

/** Up to which instant the history holds events, once those up to a new mark are appended. */
export function coveredAt(mark: Instant, before: Position): Instant | undefined {
  return mark > before.mark ? later(mark, before.covered ?? mark) : before.covered;
}
