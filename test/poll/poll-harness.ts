import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollOptions } from '../../lambdas/poll/poll-options.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createMemoryStore, emptyTable, type MemoryTable } from '../store/memory-store.ts';
import { createRecordingPublisher, createSimulatedLog, type SimulatedLog } from './simulated-log.ts';

/** A poller of a simulated log, its table and the messages that were accepted. */
interface Harness {
  readonly catalogue: SimulatedLog;
  readonly table: MemoryTable;
  readonly accepted: Message[];
  poll(given?: Partial<PollOptions>): Promise<PollReport>;
  /** The events accepted since the last call. */
  newEvents(): PanelEvent[];
}

export function createHarness(
  options: { seed?: number; pageSize?: number; step?: (name: string) => Promise<void> } = {},
): Harness {
  const catalogue = createSimulatedLog(options);
  const table = emptyTable();
  const accepted: Message[] = [];
  const step = options.step ?? (async () => {});
  let taken = 0;
  return {
    catalogue,
    table,
    accepted,
    poll: (given = {}) =>
      poll({
        name: 'test',
        catalogue,
        store: createMemoryStore(table, step),
        publisher: createRecordingPublisher(accepted, step),
        clock: catalogue.clock,
        log: silentLog,
        overlap: minutes(15),
        ...given,
      }),
    newEvents: () => {
      const fresh = accepted.slice(taken);
      taken = accepted.length;
      return fresh.map(({ body }) => JSON.parse(body) as PanelEvent);
    },
  };
}

/** Texts of the rows that events carry. */
export const textsOf = (events: readonly PanelEvent[]): string[] =>
  events.flatMap(({ data }) => data.activities.map(({ text }) => String(text)));
