import { hash } from 'node:crypto';
import * as z from 'zod';
import type { PanelEvent } from '../../events/schemas.ts';
import { type Clock, MINUTE_MS } from '../../run/clock.ts';
import { inGroups } from '../../run/in-groups.ts';
import { instantOf } from '../../run/instant.ts';
import type { PanelEvents } from '../../store/history/dynamodb.ts';
import { WITHOUT_ID } from '../../store/history/dynamodb-items.ts';
import { type ItemStore, readValue } from '../../store/items.ts';
import { openStateFile } from '../../store/sqlite-file.ts';
import { NO_PANEL } from '../../store/sqlite-schema.ts';
import { createFoundChanges, kindsOfGreen } from './changes-of-events.ts';
import { changeRows, DERIVATION, type KeptPanel, keptPanelOf } from './kept-changes.ts';
import { createWorklistStore, type WorklistStore } from './worklist-record.ts';

interface TableWorklistOptions {
  readonly items: ItemStore;
  readonly history: PanelEvents;
  readonly clock: Clock;
}

/** Where the changes are kept: the items of a panel, and `span`. Decisions lie in other partitions. */
const PARTITION = 'worklist-changes';
const SPAN = 'span';

/** An item has 400 kB at most: 500 changes take 50 kB, compressed. */
const CHANGES_AT_ONCE = 500;
/** Of more panels, the whole history is read. */
const MOST_PANELS = 100;
/** Items that are written at the same time. */
const PARALLEL = 16;
/**
 * No run lasts longer than this many microseconds. So events that were recorded before are in the table, and in its indexes.
 */
const LONGEST_RUN = 15n * BigInt(MINUTE_MS) * 1000n;

const instant = z.string().transform(BigInt);
const spanSchema = z.object({
  derivation: z.literal(DERIVATION),
  /** When the newest events were recorded that the changes come from, and when these were kept. */
  last: instant,
  at: instant,
});
/** A part of what is kept of a panel, of `of` parts with the same mark. */
const partSchema = z.object({ mark: z.string(), of: z.number(), panel: z.custom<LastingPanel>() });

interface LastingPanel extends KeptPanel {
  /** Seconds since the epoch after which the history has not all of its events any more; absent where it keeps them without end. */
  readonly until?: number;
}

interface Kept {
  /** Null where none of what is kept can be used. */
  readonly span: z.output<typeof spanSchema> | null;
  readonly panels: ReadonlyMap<number, LastingPanel & { readonly mark: string }>;
  /** Those of which another run has written a part alone, or the history has forgotten an event. */
  readonly incomplete: readonly number[];
}

/**
 * The worklist of a deployed stage: a panel's changes are an item or a few, each as `kept-changes.ts` derives it, and one says up to
 * which events they come from. A view reads these, and the events of the panels that have newer ones. Its methods also throw a
 * `HistoryError`, when the history cannot be read.
 */
export function createTableWorklist({
  items,
  history,
  clock,
}: TableWorklistOptions): Required<WorklistStore> {
  async function readKept(): Promise<Kept> {
    const all = await items.list(PARTITION);
    const [item] = all.filter(({ id }) => id === SPAN);
    const span = spanSchema.safeParse(item?.value).data ?? null;
    const panels = new Map<number, LastingPanel & { readonly mark: string }>();
    const incomplete: number[] = [];
    const byPanel = Map.groupBy(
      all.filter(({ id }) => id !== SPAN),
      ({ id }) => Number(id.split('#')[0]),
    );
    for (const [panel, parts] of byPanel) {
      const read = parts.map((part) => readValue(part, { schema: partSchema, place: items.place }));
      const [first] = read;
      const whole = read.slice(0, first?.of);
      if (!first || whole.length < first.of || whole.some(({ mark }) => mark !== first.mark))
        incomplete.push(panel);
      else {
        const changes = whole.flatMap((part) => part.panel.changes);
        panels.set(panel, { ...first.panel, changes, mark: first.mark });
        if ((first.panel.until ?? Number.POSITIVE_INFINITY) <= clock.now() / 1000) incomplete.push(panel);
      }
    }
    return { span, panels, incomplete };
  }

  /** The panels whose kept changes are older than their events; null where those of too many are. */
  async function outdatedOf({ span, incomplete }: Kept): Promise<ReadonlySet<number> | null> {
    if (!span) return null;
    const isSettled = span.at - LONGEST_RUN > span.last;
    const { panels } = await history.changedSince(isSettled ? span.last + 1n : span.last - LONGEST_RUN);
    const outdated = new Set([...incomplete, ...[...panels].map(numberOf)]);
    return outdated.size > MOST_PANELS ? null : outdated;
  }

  /** What the events give of some panels, or of every one. */
  async function derive(panels: ReadonlySet<number> | null): Promise<ReadonlyMap<number, LastingPanel>> {
    const builders = new Map(Array.from(panels ?? [], (panel) => [panel, createFoundChanges()]));
    const asked = panels && new Set([...panels].map((panel) => (panel === NO_PANEL ? WITHOUT_ID : panel)));
    const until = new Map<number, number>();
    for await (const { event, expires } of history.eventsOf(asked, kindsOfGreen)) {
      const panel = numberIn(event);
      if (expires !== undefined) until.set(panel, Math.min(expires, until.get(panel) ?? expires));
      const builder = builders.get(panel) ?? createFoundChanges();
      builders.set(panel, builder);
      builder.add(event);
    }
    return new Map(
      [...builders].map(([panel, builder]) => {
        const end = until.get(panel);
        return [panel, { ...keptPanelOf(builder.result()), ...(end !== undefined && { until: end }) }];
      }),
    );
  }

  async function write(panel: number, value: LastingPanel, before: string | undefined): Promise<void> {
    const mark = hash('sha256', JSON.stringify(value)).slice(0, 16);
    if (mark === before) return;
    const of = Math.max(1, Math.ceil(value.changes.length / CHANGES_AT_ONCE));
    for (let part = 0; part < of; part++) {
      const changes = value.changes.slice(part * CHANGES_AT_ONCE, (part + 1) * CHANGES_AT_ONCE);
      const rest = part === 0 ? value : { signOffs: [], unread: [] };
      const id = `${panel}#${String(part).padStart(4, '0')}`;
      await items.put({ partition: PARTITION, id, value: { mark, of, panel: { ...rest, changes } } });
    }
  }

  return {
    ...createWorklistStore(items),
    async changes(work) {
      const kept = await readKept();
      const outdated = await outdatedOf(kept);
      if (outdated === null) return null;
      const derived = outdated.size > 0 ? await derive(outdated) : new Map<number, LastingPanel>();
      const file = openStateFile();
      try {
        const rows = changeRows(file);
        for (const [panel, value] of new Map([...kept.panels, ...derived])) rows.write(panel, value);
        const all = rows.beside([], []);
        // The file has no events, which say on which panels a name is.
        return work({ ...all, changes: ({ names: _names, ...range }) => all.changes(range) });
      } finally {
        file.close();
      }
    },
    async keep() {
      const at = instantOf(clock.now());
      const { last } = await history.changedSince(null);
      const kept = await readKept();
      const outdated = await outdatedOf(kept);
      if (outdated?.size === 0) return;
      const derived = await derive(outdated);
      const gone = outdated ? [] : [...kept.panels.keys()].filter((panel) => !derived.has(panel));
      const nothing = keptPanelOf({ changes: [], signOffs: [], unread: [] });
      const all = new Map([...derived, ...gone.map((panel) => [panel, nothing] as const)]);
      await inGroups(PARALLEL, [...all], ([panel, value]) =>
        write(panel, value, kept.panels.get(panel)?.mark),
      );
      const value = { derivation: DERIVATION, last, at };
      await items.put({ partition: PARTITION, id: SPAN, value });
    },
  };
}

const numberOf = (panel: number | typeof WITHOUT_ID): number => (panel === WITHOUT_ID ? NO_PANEL : panel);
const numberIn = ({ data: { panel } }: PanelEvent): number => panel?.id ?? NO_PANEL;
