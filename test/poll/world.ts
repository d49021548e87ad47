import type { ActivityPage, Catalogue } from '../../lambdas/catalogue/client.ts';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { formatInstant, type Instant, instantOf, parseInstant } from '../../lambdas/clock/instant.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';

/**
 * A catalogue whose log moves while it is read, with the traits of the real one: newest first, no order among
 * rows of one microsecond (drawn anew for each request), rows that appear behind others, panels that are
 * hidden and revealed. Time and chance are the world's own.
 */

export interface WorldRow {
  readonly at: Instant;
  readonly row: Activity;
}

export interface World extends Catalogue {
  readonly rows: WorldRow[];
  readonly hidden: Set<number>;
  readonly clock: Clock & { pass(milliseconds: number): void };
  readonly random: () => number;
  /** Called before each request for a page. */
  between: () => void;
  /** Writes a row; without a time it is written now. */
  write(text: string, given?: Partial<Activity> & { readonly at?: Instant }): WorldRow;
  readonly now: Instant;
  /** Pages asked for. */
  readonly asked: number[];
  pageSize: number;
  /** Rows of one instant in the order in which they were written, for every request. */
  stableTies: boolean;
}

/** A small, fast, seeded source of chance (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const noon = parseInstant('2026-01-31T12:00:00Z') ?? 0n;

export function createWorld({ seed = 1, pageSize = 10 }: { seed?: number; pageSize?: number } = {}): World {
  const random = seeded(seed);
  let now = Number(noon / 1000n);
  const rows: WorldRow[] = [];
  const hidden = new Set<number>();
  const clock = {
    now: () => now,
    random,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const world: World = {
    url: 'http://127.0.0.1/api/v1/',
    rows,
    hidden,
    clock,
    random,
    pageSize,
    stableTies: false,
    between: () => {},
    asked: [],
    traffic: { requests: 0, retries: 0, bytes: 0 },
    get now() {
      return instantOf(now);
    },
    write(text, { at = instantOf(now), ...given } = {}) {
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
    async activities(number): Promise<ActivityPage | null> {
      world.between();
      world.asked.push(number);
      const visible = rows.filter(({ row }) => !hidden.has(row.panel_id));
      const drawn = visible.map((written, index) => ({ written, lot: world.stableTies ? index : random() }));
      drawn.sort((one, other) =>
        one.written.at === other.written.at
          ? one.lot - other.lot
          : one.written.at < other.written.at
            ? 1
            : -1,
      );
      const from = (number - 1) * world.pageSize;
      if (number > 1 && from >= drawn.length) return null;
      return {
        page: number,
        rows: drawn.slice(from, from + world.pageSize).map(({ written }) => ({ ...written.row })),
        count: drawn.length,
        hasNext: from + world.pageSize < drawn.length,
        serverTime: now,
      };
    },
    panels: async () => [],
    regions: async () => [],
    listPanels: async () => ({ items: [], complete: true, serverTime: null }),
    listRegions: async () => ({ items: [], complete: true, serverTime: null }),
    close: async () => {},
  };
  return world;
}

/** Takes messages as SNS does. `step` is called before and after each call, and may throw. */
export function createRecordingPublisher(
  accepted: Message[],
  step: (name: string) => Promise<void> = async () => {},
): Publisher {
  return {
    async publish(messages) {
      if (messages.length === 0) return [];
      await step('publish before');
      // Half of them may be out when the process dies.
      const half = Math.ceil(messages.length / 2);
      accepted.push(...messages.slice(0, half));
      await step('publish half');
      accepted.push(...messages.slice(half));
      await step('publish after');
      return [];
    },
  };
}
