import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSqlitePanelEvents, type EventSpan } from '../../store/history/sqlite-panel-events.ts';
import type { KeptItem, NewItem } from '../../store/items.ts';
import { createSqliteItems } from '../../store/items-sqlite.ts';
import type { StateFile } from '../../store/sqlite-file.ts';
import type { FoundChange, FoundChanges } from './found-changes.ts';
import { createFoundChanges, kindsOfGreen } from './read-worklist.ts';
import type { WorklistStore } from './worklist-record.ts';
import { createWorklistStore, WORKLIST } from './worklist-store.ts';

/** Raised where the same events give other changes than before: what is kept is then derived anew. */
const DERIVATION = 1;
const PARTITION = 'worklist-changes';
/** Sorts behind the numbers of panels. */
const SPAN = 'span';

/** The changes of a worklist of green, whatever its settings, kept as the events come. */
interface KeptChanges {
  /** Null where none are kept. What events have changed since is derived from them. */
  read(): Promise<FoundChanges | null>;
  /** Keeps what the events have changed since. To be called by one process at a time. */
  keep(): Promise<void>;
}

/**
 * Keeps the changes of each panel, with the number of the last event that they come from. What happens on a panel depends on its
 * own events alone, so the panels of newer events are derived again and no others.
 */
export function createKeptChanges(file: StateFile, { now }: { readonly now: () => number }): KeptChanges {
  const items = createSqliteItems(file, { what: WORKLIST, now });
  const events = createSqlitePanelEvents(file, kindsOfGreen);

  function derive(panel: number): FoundChanges {
    const builder = createFoundChanges({ filter: {}, counts: 'working' });
    for (const event of events.eventsOf(panel)) builder.add(event);
    return builder.result();
  }
  /** The panels whose kept changes are older than their events; null where none of what is kept can be used. */
  function outdatedSince(kept: KeptItem | null | undefined): readonly number[] | null {
    const noted = kept?.value as (EventSpan & { readonly derivation: number }) | undefined;
    // Events that were forgotten may be of any panel.
    if (noted?.derivation !== DERIVATION || noted.first !== events.span().first) return null;
    return events.panelsAfter(noted.last);
  }

  return {
    async read() {
      const kept = await items.list(PARTITION);
      const outdated = outdatedSince(kept.find(({ id }) => id === SPAN));
      if (outdated === null) return null;
      const isOutdated = new Set(outdated.map(String));
      const all = kept
        .filter(({ id }) => id !== SPAN && !isOutdated.has(id))
        .map(({ value }) => unpacked(value as PackedChanges));
      for (const panel of outdated) {
        all.push(derive(panel));
        await nextTurn();
      }
      return {
        changes: all.flatMap(({ changes }) => changes),
        signOffs: all.flatMap(({ signOffs }) => signOffs),
        unread: all.flatMap(({ unread }) => unread),
      };
    },
    async keep() {
      const span = events.span();
      const outdated = outdatedSince(await items.get(PARTITION, SPAN));
      if (outdated?.length === 0) return;
      if (outdated === null) {
        const kept = await items.list(PARTITION);
        await items.remove(PARTITION, ...kept.map(({ id }) => id));
      }
      const changed: NewItem[] = [];
      for (const panel of outdated ?? events.panels()) {
        changed.push({ partition: PARTITION, id: String(panel), value: packed(derive(panel)) });
        await nextTurn();
      }
      const value = { ...span, derivation: DERIVATION };
      await items.put(...changed, { partition: PARTITION, id: SPAN, value });
    },
  };
}

/** Found changes in which what happened later to an entity is written once: each change has the last ones of its list. */
interface PackedChanges extends Pick<FoundChanges, 'signOffs' | 'unread'> {
  readonly turns: readonly FoundChange['later'][];
  readonly changes: readonly (Omit<FoundChange, 'later'> & {
    /** Null where nothing happened. */
    readonly later: { readonly turns: number; readonly last: number } | null;
  })[];
}

function packed({ changes, ...others }: FoundChanges): PackedChanges {
  const lists = new Map<unknown, { readonly place: number; turns: FoundChange['later'] }>();
  const written = changes.map(({ later, ...change }) => {
    const end = later.at(-1);
    if (!end) return { ...change, later: null };
    const list = lists.get(end) ?? { place: lists.size, turns: later };
    if (later.length > list.turns.length) list.turns = later;
    lists.set(end, list);
    return { ...change, later: { turns: list.place, last: later.length } };
  });
  return { ...others, turns: [...lists.values()].map(({ turns }) => turns), changes: written };
}

function unpacked({ turns, changes, ...others }: PackedChanges): FoundChanges {
  const laterOf = (later: PackedChanges['changes'][number]['later']): FoundChange['later'] =>
    later ? (turns[later.turns]?.slice(-later.last) ?? []) : [];
  return { ...others, changes: changes.map((change) => ({ ...change, later: laterOf(change.later) })) };
}

/** The worklist of a state file, with the changes that are kept there. */
export const createSqliteWorklist = (
  file: StateFile,
  { now }: { readonly now: () => number },
): WorklistStore => ({
  ...createWorklistStore(createSqliteItems(file, { what: WORKLIST, now })),
  changes: () => createKeptChanges(file, { now }).read(),
});
