import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import { createNameBook } from '../../lambdas/filters/names.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollOptions, SearchRequest } from '../../lambdas/poll/poll-options.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { sweep } from '../../lambdas/reconcile/sweep.ts';
import { createReadLog, type SweepOptions, type SweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { type Instant, later, minutes, parseInstant } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { createRecordingPublisher } from '../poll/simulated-log.ts';
import { createMemoryStore, emptyTable, type MemoryTable } from '../store/memory-store.ts';
import { createSimulatedCatalogue, type SimulatedCatalogue } from './simulated-catalogue.ts';

type Step = (name: string) => Promise<void>;

/** Documents in memory. `step` is called before and after each access, and may throw. */
export function createMemoryDocuments(
  kept: Map<string, { version: number; body: string }>,
  step: Step = async () => {},
): Documents {
  return {
    async load(name) {
      await step('document load');
      return kept.get(name) ?? null;
    },
    async save(name, version, body) {
      await step('document save before');
      if ((kept.get(name)?.version ?? 0) !== version)
        throw new StateError('STATE_CONFLICT', 'another run was first');
      kept.set(name, { version: version + 1, body });
      await step('document save after');
      return version + 1;
    },
  };
}

/** Every event in memory, once by its id. */
function createMemoryHistory(kept: Map<string, PanelEvent>): History {
  const history: History = {
    findWithoutRows: (query) => history.find(query),
    findRecords: () => {
      throw new Error('records are not kept in memory');
    },
    coverage: async () => [],
    bodiesOf: async (records) =>
      new Map(
        records.flatMap(({ id }) => {
          const event = kept.get(id);
          return event ? [[id, JSON.stringify(event)] as const] : [];
        }),
      ),
    names: async () => createNameBook(),
    entityKeys: async () => null,
    states: async () => null,
    async append(records) {
      for (const { id, body } of records) if (!kept.has(id)) kept.set(id, JSON.parse(body) as PanelEvent);
    },
    async *find({ catalogue, since, until, filter = {}, order, limit }) {
      const matches = compileFilter(filter);
      const found = [...kept.values()].filter(
        (event) =>
          (catalogue === undefined || event.data.catalogue === catalogue) &&
          (since === undefined || (parseInstant(event.time) ?? 0n) >= since) &&
          (until === undefined || (parseInstant(event.time) ?? 0n) < until) &&
          matches(event),
      );
      found.sort((one, other) => ((one.time ?? '') < (other.time ?? '') ? -1 : 1));
      yield* (order === 'oldest' ? found : found.reverse()).slice(0, limit);
    },
  };
  return history;
}

/** A poller and a sweep of one catalogue. */
export interface Sweeper {
  readonly table: MemoryTable;
  readonly accepted: Message[];
  readonly history: Map<string, PanelEvent>;
  /** What finds events in it. */
  readonly kept: History;
  readonly documents: Documents;
  poll(given?: Partial<PollOptions>): Promise<void>;
  /** Moves the mark back, as a person does with `mark --set`; nothing happens where a chunk waits to be published. */
  moveMarkBack(by: Instant, notBefore?: Instant): Promise<void>;
  sweep(given?: Partial<SweepOptions>): Promise<SweepReport>;
  /** Events found by comparing listings, each once, in the order in which they were accepted. */
  listed(): readonly PanelEvent[];
}

/** A catalogue in memory with a poller and a sweep. */
export interface SweepHarness extends Sweeper {
  readonly catalogue: SimulatedCatalogue;
}

interface SweeperOptions {
  readonly step?: Step;
  /** Pages that a poll within a sweep may spend on a search. */
  readonly searchPages?: number;
}

export function createSweepHarness({
  seed = 1,
  pageSize = 20,
  ...options
}: SweeperOptions & { readonly seed?: number; readonly pageSize?: number } = {}): SweepHarness {
  const catalogue = createSimulatedCatalogue(seed, pageSize);
  const { client, log } = catalogue;
  return { catalogue, ...createSweeper({ catalogue: client, clock: log.clock, ...options }) };
}

/** A poller and a sweep with everything that they keep in memory. */
export function createSweeper({
  catalogue,
  clock,
  step = async () => {},
  searchPages = 60,
}: SweeperOptions & { readonly catalogue: Catalogue; readonly clock: Clock }): Sweeper {
  const table = emptyTable();
  const documents = createMemoryDocuments(new Map(), step);
  const history = new Map<string, PanelEvent>();
  const memory = createMemoryHistory(history);
  const accepted: Message[] = [];
  const pollOnce = (
    searchRequest: SearchRequest | null = null,
    given: Partial<PollOptions> = {},
  ): Promise<PollReport> =>
    poll({
      name: 'test',
      catalogue,
      store: createMemoryStore(table, step),
      publisher: createRecordingPublisher(accepted, step),
      clock,
      log: silentLog,
      overlap: minutes(15),
      history: memory,
      ...(searchRequest && { searchRequest, searchPages }),
      ...given,
    });
  return {
    table,
    accepted,
    history,
    kept: memory,
    documents,
    poll: async (given) => void (await pollOnce(null, given)),
    async moveMarkBack(by, notBefore = 0n) {
      const { position, pending } = table;
      if (!position || pending) return;
      await createMemoryStore(table).moveMark(position, later(notBefore, position.mark - by));
    },
    sweep: (given = {}) =>
      sweep({
        name: 'test',
        catalogue,
        documents,
        history: memory,
        state: createMemoryStore(table, async () => {}),
        publisher: createRecordingPublisher(accepted, step),
        clock,
        log: silentLog,
        readLog: createReadLog({ store: createMemoryStore(table), poll: pollOnce, log: silentLog }),
        shrunkenPercent: 50,
        sameChangePercent: 20,
        ...given,
      }),
    listed: () => {
      const events = accepted.map(({ body }) => JSON.parse(body) as PanelEvent);
      const found = events.filter(({ data }) => 'via' in data.change && data.change.via === 'listing');
      return [...new Map(found.map((event) => [event.id, event])).values()];
    },
  };
}
