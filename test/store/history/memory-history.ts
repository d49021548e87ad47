import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { createNameBook } from '../../../lambdas/filters/names.ts';
import type { Coverage, History, HistoryRecord } from '../../../lambdas/store/history/history.ts';
import { withPeriod } from '../../../lambdas/store/history/read-part.ts';

/** A history in memory, as the table that several runs append to. */
interface MemoryHistory extends History {
  /** What is kept, by id, in the order in which it came. */
  readonly kept: ReadonlyMap<string, HistoryRecord>;
  /** Another history that holds the same at this moment. */
  copy(): MemoryHistory;
}

/**
 * A history for tests of what appends to it; queries give everything. `step` is called before and after each append, and
 * may throw.
 */
export function createMemoryHistory(
  step: (name: string) => Promise<void> = async () => {},
  held: { readonly kept: ReadonlyMap<string, HistoryRecord>; readonly periods: readonly Coverage[] } = {
    kept: new Map(),
    periods: [],
  },
): MemoryHistory {
  const kept = new Map(held.kept);
  let periods = held.periods;
  return {
    kept,
    copy: () => createMemoryHistory(step, { kept, periods }),
    async append(records, { catalogue, since, until }) {
      await step('append');
      for (const record of records) if (!kept.has(record.id)) kept.set(record.id, record);
      periods = withPeriod(periods, { since, until }).map((period) => ({ catalogue, ...period }));
      await step('append');
    },
    async *find() {
      for (const { body } of kept.values()) yield JSON.parse(body) as PanelEvent;
    },
    async *findWithoutRows() {
      for (const { body } of kept.values()) yield JSON.parse(body) as PanelEvent;
    },
    async *findRecords() {
      yield* kept.values();
    },
    bodiesOf: async (records) =>
      new Map(
        records.flatMap(({ id }) => {
          const record = kept.get(id);
          return record ? [[id, record.body] as const] : [];
        }),
      ),
    coverage: async () => periods,
    names: async () => createNameBook(),
    entityKeys: async () => null,
    states: async () => null,
  };
}
