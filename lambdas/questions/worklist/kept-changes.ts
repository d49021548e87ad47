import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventKindName } from '../../events/changes.ts';
import type { PanelEvent } from '../../events/schemas.ts';
import { onceForText } from '../../run/text.ts';
import { attemptOn } from '../../store/history/history.ts';
import { hasKey } from '../../store/history/sqlite-event-index.ts';
import { jsonWithoutRows } from '../../store/history/sqlite-find.ts';
import type { ItemStore } from '../../store/items.ts';
import { createSqliteItems } from '../../store/items-sqlite.ts';
import type { StateFile } from '../../store/sqlite-file.ts';
import { NO_PANEL } from '../../store/sqlite-schema.ts';
import { sqliteCall } from '../../store/state-error.ts';
import { createFoundChanges, isTakenBack, kindsOfGreen } from './changes-of-events.ts';
import {
  createWorklistStore,
  type FoundChange,
  type FoundChanges,
  type KeptChanges,
  type KeptPlace,
  type KeptRange,
  WORKLIST,
  type WorklistChange,
  type WorklistStore,
} from './worklist-record.ts';

/** Raised where the same events give other changes than before: what is kept is then derived anew. */
export const DERIVATION = 1;

/**
 * Keeps the changes of each panel, a row each, and the number of the last event that they come from. What happens on a panel depends on
 * its own events alone, so the panels of newer events are derived again and no others.
 */
export function createKeptChanges(file: StateFile) {
  const events = createSqlitePanelEvents(file, kindsOfGreen);
  const rows = changeRows(file);

  function derive(panel: number): FoundChanges {
    const builder = createFoundChanges();
    for (const event of events.eventsOf(panel)) builder.add(event);
    return builder.result();
  }
  /** The panels whose kept changes are older than their events; null where none of what is kept can be used. */
  function outdatedSince(kept: KeptSpan | null): readonly number[] | null {
    // Events that were forgotten may be of any panel.
    if (kept?.derivation !== DERIVATION || kept.first !== events.span().first) return null;
    return events.panelsAfter(kept.last);
  }

  return {
    /**
     * Reads kept changes, all by one state of the file; null where none are kept. What events have changed since is derived from them.
     */
    async read<Value>(work: (kept: KeptChanges) => Value) {
      for (;;) {
        const span = rows.span();
        const outdated = outdatedSince(span);
        if (outdated === null) return null;
        const derived: FoundChanges[] = [];
        for (const panel of outdated) {
          derived.push(derive(panel));
          await nextTurn();
        }
        const found = file.snapshot(() =>
          // Another process may have kept more meanwhile.
          rows.span()?.last === span?.last ? { value: work(rows.beside(outdated, derived)) } : null,
        );
        if (found) return found.value;
      }
    },
    /** Keeps what the events have changed since. To be called by one process at a time. */
    async keep() {
      const span = events.span();
      const kept = rows.span();
      const outdated = outdatedSince(kept);
      if (outdated?.length === 0) return;
      if (kept && outdated === null) rows.writeSpan(null);
      for (const panel of outdated ?? new Set([...events.panels(), ...rows.panels()])) {
        rows.write(panel, keptPanelOf(derive(panel)));
        await nextTurn();
      }
      rows.writeSpan({ ...span, derivation: DERIVATION });
    },
  };
}

interface KeptSpan extends EventSpan {
  readonly derivation: number;
}

/** A change as a row has it. What happened later to its entity is written once, with the first of the entity's changes. */
interface RowValue extends Pick<FoundChange, 'change' | 'signedOff'> {
  readonly turns?: FoundChange['later'];
  /** Where the turns are, and how many of them came before. */
  readonly later?: { readonly first: string; readonly place: number };
}

/** What is kept of a panel. */
export interface KeptPanel extends Pick<FoundChanges, 'signOffs' | 'unread'> {
  readonly changes: readonly RowValue[];
}

const MOST_COUNTS = 50;

/** Reads and writes kept changes in their tables. */
export function changeRows({ database, path, transaction }: StateFile) {
  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value =>
    sqliteCall(`${action} ${WORKLIST} in ${path}`, work);
  const reading =
    <Given extends readonly unknown[], Value>(work: (...given: Given) => Value) =>
    (...given: Given): Value =>
      attempt('Reading', () => work(...given));
  const statements = attempt('Reading', () => ({
    span: database.prepare('SELECT first, last, derivation FROM worklist_span'),
    panels: database.prepare('SELECT panel FROM worklist_panel'),
    ofPanel: database.prepare('SELECT id, value FROM worklist_change WHERE panel = ?'),
    one: database.prepare('SELECT value FROM worklist_change WHERE id = ?'),
    allSignOffs: database.prepare("SELECT panel, sign_offs FROM worklist_panel WHERE sign_offs <> '[]'"),
    signOffs: database.prepare('SELECT panel, sign_offs FROM worklist_panel WHERE panel = ?'),
    unread: database.prepare("SELECT panel, unread FROM worklist_panel WHERE unread <> '[]'"),
    put: database.prepare('INSERT OR REPLACE INTO worklist_change VALUES (?, ?, ?, ?, ?, ?, ?)'),
    putPlace: database.prepare('INSERT OR IGNORE INTO worklist_place (about) VALUES (?)'),
    placeOf: database.prepare('SELECT place FROM worklist_place WHERE about = ?'),
    places: database.prepare('SELECT place, about FROM worklist_place'),
    remove: database.prepare('DELETE FROM worklist_change WHERE id = ?'),
    putPanel: database.prepare('INSERT OR REPLACE INTO worklist_panel VALUES (?, ?, ?)'),
    putSpan: database.prepare('INSERT OR REPLACE INTO worklist_span VALUES (1, ?, ?, ?)'),
    removeSpan: database.prepare('DELETE FROM worklist_span'),
  }));
  const placeOf = ({ catalogue, panel: { version: _version, ...panel } }: WorklistChange): number => {
    const about = JSON.stringify({ catalogue, panel } satisfies KeptPlace['about']);
    statements.putPlace.run(about);
    return Number(statements.placeOf.get(about)?.place);
  };
  const createCounts = () =>
    onceForText(MOST_COUNTS, (range) => {
      const { sql, values }: ReturnType<typeof conditionsOf> = JSON.parse(range);
      const counting = database.prepare(`SELECT count(*) AS count FROM worklist_change WHERE ${sql}`);
      return Number(counting.get(values)?.count);
    });
  // How many of hundreds of thousands a range has takes most of a view, and stays until what is kept changes.
  let counts = { of: '', countOf: createCounts() };
  const listIn = (json: unknown): never[] => JSON.parse(String(json ?? '[]'));
  const valueIn = (row: Readonly<Record<string, unknown>>): RowValue => JSON.parse(String(row.value));

  /** The changes of rows, with what happened later. */
  function changesOf(found: Iterable<Readonly<Record<string, unknown>>>): FoundChange[] {
    const values = Array.from(found, valueIn);
    const known = new Map(
      values.flatMap(({ change, turns }) => (turns ? [[change.id, turns] as const] : [])),
    );
    const turnsOf = (first: string): FoundChange['later'] => {
      const turns = known.get(first) ?? valueIn(statements.one.get(first) ?? { value: '{}' }).turns ?? [];
      known.set(first, turns);
      return turns;
    };
    return values.map(({ change, signedOff, turns = [], later: shared }) => {
      const later = shared ? turnsOf(shared.first).slice(shared.place) : turns;
      return { change, later, isReverted: isTakenBack(change, later), signedOff };
    });
  }

  return {
    span: reading(() => (statements.span.get() as unknown as KeptSpan | undefined) ?? null),
    panels: reading(() => statements.panels.all().map(({ panel }) => Number(panel))),
    writeSpan: (span: KeptSpan | null): void =>
      attempt('Writing', () =>
        transaction(() => {
          if (span) statements.putSpan.run(span.first, span.last, span.derivation);
          else statements.removeSpan.run();
        }),
      ),
    /** Writes what differs from what is kept. */
    write: (panel: number, { changes, signOffs, unread }: KeptPanel): void =>
      attempt('Writing', () =>
        transaction(() => {
          counts.of = '';
          const wanted = new Map(changes.map((value) => [value.change.id, value]));
          for (const { id, value } of statements.ofPanel.all(panel)) {
            const now = wanted.get(String(id));
            if (now === undefined) statements.remove.run(String(id));
            else if (JSON.stringify(now) === value) wanted.delete(String(id));
          }
          for (const [id, value] of wanted) {
            const { kind, catalogue, at } = value.change;
            statements.put.run(id, panel, kind, catalogue, at, placeOf(value.change), JSON.stringify(value));
          }
          statements.putPanel.run(panel, JSON.stringify(signOffs), JSON.stringify(unread));
        }),
      ),
    /** What is kept of other panels than some, beside what was derived of these. */
    beside(outdated: readonly number[], derived: readonly FoundChanges[]): KeptChanges {
      const changes = derived.flatMap((each) => each.changes);
      const isOutdated = new Set(outdated);
      const isKept = ({ panel }: Readonly<Record<string, unknown>>): boolean =>
        !isOutdated.has(Number(panel));
      const select = ({ sql, values }: ReturnType<typeof conditionsOf>) =>
        database.prepare(`SELECT value FROM worklist_change WHERE ${sql}`).iterate(values);
      const rangeOf = (range: KeptRange) => conditionsOf({ ...range, withoutPanels: outdated });
      return {
        changes: reading((range) => [...changes, ...changesOf(select(rangeOf(range)))]),
        signOffs: reading((panels) => {
          const wanted = panels && new Set([...panels].map((panel) => panel ?? NO_PANEL));
          const kept = wanted
            ? [...wanted].flatMap((panel) => statements.signOffs.all(panel))
            : statements.allSignOffs.all();
          return [
            ...outdated.flatMap((panel, place) =>
              (wanted?.has(panel) ?? true) ? (derived[place]?.signOffs ?? []) : [],
            ),
            ...kept.filter(isKept).flatMap((row) => listIn(row.sign_offs)),
          ];
        }),
        unread: reading(() => [
          ...derived.flatMap((each) => each.unread),
          ...statements.unread
            .all()
            .filter(isKept)
            .flatMap((row) => listIn(row.unread)),
        ]),
        places: reading(() =>
          statements.places
            .all()
            .map(({ place, about }) => ({ place: Number(place), about: JSON.parse(String(about)) })),
        ),
        count: reading((range) => {
          const now = JSON.stringify(statements.span.get() ?? null);
          if (counts.of !== now) counts = { of: now, countOf: createCounts() };
          return counts.countOf(JSON.stringify(rangeOf(range)));
        }),
        slice: reading((range, { order, begin, size }) => {
          const { sql, values } = rangeOf(range);
          const direction = order === 'newest' ? 'DESC' : 'ASC';
          const sorted = `${sql} ORDER BY at ${direction}, id ${direction} LIMIT :size OFFSET :begin`;
          return changesOf(select({ sql: sorted, values: { ...values, size, begin } }));
        }),
      };
    },
  };
}

/** The first part lets the index begin at the time, where every change has one. */
const SINCE_OR_UNTIMED = `at >= iif(EXISTS (SELECT 1 FROM worklist_change WHERE at = ''), '', :since)
  AND (at = '' OR at >= :since)`;

/** That an event of the panel has one of some names. */
const onPanelsOf = `panel IN (SELECT coalesce(panel, ${NO_PANEL}) FROM event
  WHERE ${hasKey('name', 'SELECT value FROM json_each(:names)')})`;

function conditionsOf({
  since,
  until,
  before,
  catalogue,
  kinds,
  ids,
  panels,
  places,
  names,
  withoutIds,
  withoutPanels,
}: KeptRange & { readonly withoutPanels: readonly number[] }) {
  const listed = (values: Iterable<string | number>) => JSON.stringify([...values]);
  const inList = (name: string): string => `(SELECT value FROM json_each(:${name}))`;
  const parts: (readonly [sql: string, values: Readonly<Record<string, string>>] | false | undefined)[] = [
    since !== undefined && [before === undefined ? SINCE_OR_UNTIMED : 'at >= :since', { since }],
    until !== undefined && ['at < :until', { until }],
    before !== undefined && ["at > '' AND at < :before", { before }],
    catalogue !== undefined && ['catalogue = :catalogue', { catalogue }],
    kinds && [`kind IN ${inList('kinds')}`, { kinds: listed(kinds) }],
    ids && [`id IN ${inList('ids')}`, { ids: listed(ids) }],
    panels && [`panel IN ${inList('panels')}`, { panels: listed(panels) }],
    places && [`place IN ${inList('places')}`, { places: listed(places) }],
    names && [onPanelsOf, { names: listed(names) }],
    withoutIds && [`id NOT IN ${inList('withoutIds')}`, { withoutIds: listed(withoutIds) }],
    withoutPanels.length > 0 && [
      `panel NOT IN ${inList('withoutPanels')}`,
      { withoutPanels: listed(withoutPanels) },
    ],
  ];
  const given = parts.filter((part) => typeof part === 'object');
  return {
    sql: given.map(([sql]) => sql).join(' AND ') || 'true',
    values: Object.assign({}, ...given.map(([, values]) => values)) as Record<string, string | number>,
  };
}

/** What is to be kept of a panel with these changes. */
export const keptPanelOf = ({ changes, signOffs, unread }: FoundChanges): KeptPanel => ({
  ...{ changes: rowValues(changes), signOffs, unread },
});

function rowValues(changes: readonly FoundChange[]): readonly RowValue[] {
  const found = [...new Map(changes.map((each) => [each.change.id, each])).values()];
  const lists = new Map<unknown, { readonly first: string; readonly turns: FoundChange['later'] }>();
  for (const { change, later } of found) {
    const end = later.at(-1);
    if (end && later.length > (lists.get(end)?.turns.length ?? 0))
      lists.set(end, { first: change.id, turns: later });
  }
  return found.map(({ change, later, signedOff }) => {
    const list = lists.get(later.at(-1));
    if (!list) return { change, signedOff };
    const { first, turns } = list;
    if (first === change.id) return { change, signedOff, turns };
    return { change, signedOff, later: { first, place: turns.length - later.length } };
  });
}

/** The worklist of a state file, with the changes that are kept there. */
export const createSqliteWorklist = (
  file: StateFile,
  { now }: { readonly now: () => number },
): WorklistStore => worklistBeside(file, createSqliteItems(file, { what: WORKLIST, now }));

/** What people made of a worklist, in a store of items, with the changes that are kept in the state file of its history. */
export const worklistBeside = (file: StateFile, items: ItemStore): WorklistStore => ({
  ...createWorklistStore(items),
  changes: createKeptChanges(file).read,
});

/** Which events a history had: those from one number to another. */
interface EventSpan {
  readonly first: number;
  readonly last: number;
}

/** The events of each panel, and which panels have new ones; a panel is a number, one of them that of events without a panel. */
function createSqlitePanelEvents(file: StateFile, kinds: readonly EventKindName[]) {
  const { database } = file;
  const attempt = attemptOn(file);
  const ofKinds = `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  const panel = `SELECT DISTINCT coalesce(panel, ${NO_PANEL}) AS panel FROM event`;
  const statements = attempt('Reading', () => ({
    first: database.prepare('SELECT min(seq) AS seq FROM event'),
    last: database.prepare('SELECT max(seq) AS seq FROM event'),
    panels: database.prepare(`${panel} WHERE ${ofKinds}`),
    after: database.prepare(`${panel} WHERE seq > ? AND ${ofKinds}`),
    events: database.prepare(
      `SELECT ${jsonWithoutRows} AS json FROM event WHERE ${hasKey('panel', '?')} AND ${ofKinds}
       AND event.id NOT IN (SELECT id FROM corrected_event) ORDER BY event.at, event.id`,
    ),
  }));
  const numbers = (rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] =>
    rows.map((row) => Number(row.panel));
  return {
    /** The events that the history has now. */
    span: () =>
      attempt('Reading', () => ({
        first: Number(statements.first.get()?.seq ?? 0),
        last: Number(statements.last.get()?.seq ?? 0),
      })),
    panels: () => attempt('Reading', () => numbers(statements.panels.all())),
    /** The panels of the events after a number; what corrects an event is of its panel. */
    panelsAfter: (last: number) => attempt('Reading', () => numbers(statements.after.all(last))),
    /** The events of a panel that no other corrects, oldest first, with empty `activities`. */
    eventsOf: (wanted: number) =>
      attempt('Reading', () =>
        statements.events.all(wanted, wanted).map(({ json }) => JSON.parse(String(json)) as PanelEvent),
      ),
  };
}
