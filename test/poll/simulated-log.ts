import type { ActivityPage, Catalogue } from '../../lambdas/catalogue/client.ts';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import type { Message, Publisher } from '../../lambdas/publishing/message.ts';
import { formatInstant, type Instant, instantOf, parseInstant } from '../../lambdas/run/instant.ts';
import { createTestClock, type TestClock } from '../run/test-clock.ts';

/**
 * A catalogue whose log moves while it is read, like the real one: newest first, no order among rows of one
 * microsecond (drawn anew for each request), rows that appear behind others, panels that are hidden and shown
 * again. It has its own time and chance.
 */

export interface SimulatedRow {
  readonly at: Instant;
  readonly row: Activity;
}

export interface SimulatedLog extends Catalogue {
  readonly rows: SimulatedRow[];
  /** Ids of panels whose rows the log does not show. */
  readonly hidden: Set<number>;
  readonly clock: TestClock;
  readonly random: () => number;
  /** Called before each request for a page. */
  between: () => void;
  /** Writes a row; without a time it is written now. */
  write(text: string, given?: Partial<Activity> & { readonly at?: Instant }): SimulatedRow;
  /** Writes a row whose `created` is unusable; the log shows it above all others. */
  writeUnplaced(text: string, created: unknown): SimulatedRow;
  readonly now: Instant;
  /** Pages asked for. */
  readonly asked: number[];
  pageSize: number;
  /** Rows of one instant keep the order in which they were written. */
  stableTies: boolean;
  /** How many milliseconds the `Date` header lags behind. */
  lag: number;
  /** Every page is page 1. */
  ignoresPage: boolean;
}

const byTime = (one: SimulatedRow, other: SimulatedRow): number =>
  one.at === other.at ? 0 : one.at < other.at ? 1 : -1;

/** A small, fast source of chance with a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A log shows a row without a usable time here. */
const TOP = (parseInstant('2099-12-31T00:00:00Z') ?? 0n) - 1n;

export const noon = parseInstant('2026-01-31T12:00:00Z') ?? 0n;

export function createSimulatedLog({
  seed = 1,
  pageSize = 10,
}: {
  seed?: number;
  pageSize?: number;
} = {}): SimulatedLog {
  const random = seeded(seed);
  const rows: SimulatedRow[] = [];
  const hidden = new Set<number>();
  const clock = createTestClock({ now: Number(noon / 1000n), random });
  let order: SimulatedRow[] = [];
  /** The rows, newest first. What was sorted before stays so, which makes the next sorting cheap. */
  const newestFirst = (): readonly SimulatedRow[] => {
    const known = rows.length < order.length ? [] : order;
    if (rows.length !== order.length) order = [...rows.slice(known.length), ...known].sort(byTime);
    return order;
  };
  const catalogue: SimulatedLog = {
    url: 'http://127.0.0.1/api/v1/',
    rows,
    hidden,
    clock,
    random,
    pageSize,
    stableTies: false,
    lag: 0,
    ignoresPage: false,
    between: () => {},
    asked: [],
    traffic: { requests: 0, retries: 0, throttled: 0, bytes: 0 },
    get now() {
      return instantOf(clock.now());
    },
    write(text, { at = catalogue.now, ...given } = {}) {
      const row: Activity = {
        created: formatInstant(at),
        panel_name: 'Hearing loss',
        panel_id: 12,
        panel_version: '2.1',
        user_name: 'Eleanor Vance',
        item_type: 'entity',
        text,
        entity_name: 'BRCA1',
        entity_type: 'gene',
        ...given,
      };
      const written = { at, row };
      rows.push(written);
      return written;
    },
    writeUnplaced(text, created) {
      const written = catalogue.write(text, { at: TOP });
      Object.assign(written.row, { created });
      return written;
    },
    async activities(number): Promise<ActivityPage | null> {
      catalogue.between();
      catalogue.asked.push(number);
      const visible = newestFirst().filter(({ row }) => !hidden.has(row.panel_id ?? 0));
      const from = catalogue.ignoresPage ? 0 : (number - 1) * catalogue.pageSize;
      if (number > 1 && from >= visible.length) return null;
      const end = Math.min(from + catalogue.pageSize, visible.length);
      // Only the rows of an instant that lie across an end of the page need to be drawn.
      let [first, last] = [from, end];
      while (first > 0 && visible[first - 1]?.at === visible[from]?.at) first -= 1;
      while (last < visible.length && visible[last]?.at === visible[end - 1]?.at) last += 1;
      const drawn = visible
        .slice(first, last)
        .map((written, index) => ({ written, lot: catalogue.stableTies ? index : random() }))
        .sort((one, other) => byTime(one.written, other.written) || one.lot - other.lot);
      return {
        page: number,
        rows: drawn.slice(from - first, end - first).map(({ written }) => ({ ...written.row })),
        count: visible.length,
        hasNext: end < visible.length,
        serverTime: clock.now() - catalogue.lag,
      };
    },
    panels: async () => [],
    regions: async () => [],
    listPanels: async () => ({ items: [], complete: true, serverTime: null }),
    listRegions: async () => ({ items: [], complete: true, serverTime: null }),
    panelDetail: async () => null,
    panelRows: async () => null,
    signedOff: async () => ({ items: [], complete: true, serverTime: null }),
    close: async () => {},
  };
  return catalogue;
}

/** Accepts messages as SNS does. `step` is called before and after each call, and may throw. */
export function createRecordingPublisher(
  accepted: Message[],
  step: (name: string) => Promise<void> = async () => {},
): Publisher {
  return {
    async publish(messages) {
      if (messages.length === 0) return [];
      await step('publish before');
      // Half of them may be accepted when the process dies.
      const half = Math.ceil(messages.length / 2);
      accepted.push(...messages.slice(0, half));
      await step('publish half');
      accepted.push(...messages.slice(half));
      await step('publish after');
      return [];
    },
  };
}
