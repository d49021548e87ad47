import { type Changes, type EventKindName, eventKindNames, type Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { KnownEntities } from '../state/store.ts';
import { directionOf } from './direction.ts';
import { type Entry, isRead, type ReadEntry } from './entry.ts';
import { type Background, invalidRow, partlyUnknown, tellRows, unknownText } from './events.ts';
import { replacement } from './gene-replacement.ts';
import { createKnownState, type KnownState } from './known-state.ts';
import { halfOf, type Paired, pair, toldTwin } from './pairs.ts';
import { formerOf, ratingAfter, subjectOf } from './subject.ts';

export interface Correlated {
  readonly events: readonly PanelEvent[];
  /** What the rows changed in what is known. */
  readonly known: KnownEntities;
}

/**
 * Turns rows, in their order, into events: rows of one action are told once, `from` and direction come from
 * the text or from what was told before, and the panel's facts are added (event contract, "What one change
 * is"). `known` must hold what is remembered of the entities that `entitiesOf` names.
 */
export function correlate(
  entries: readonly Entry[],
  known: KnownEntities,
  background: Background,
): Correlated {
  const read = entries.filter(isRead);
  const pairs = pair(read);
  const memory = createKnownState(known);
  const events = entries.flatMap((entry) => {
    if (!isRead(entry)) return [invalidRow(entry, background)];
    return tell(entry, { paired: pairs.get(entry.key), read, memory, background });
  });
  return { events, known: memory.changed };
}

/** Keys of the entities of which earlier rows matter for the events of these rows. */
export function entitiesOf(entries: readonly Entry[]): string[] {
  const keys = entries.filter(isRead).flatMap((entry) => {
    const subject = subjectOf(entry);
    if (subject === null || !(halfOf(entry) || ratingAfter(entry) !== undefined || formerOf(entry)))
      return [];
    return [subject, formerOf(entry) ?? subject];
  });
  return [...new Set(keys)];
}

interface Telling {
  readonly paired: Paired | undefined;
  readonly read: readonly ReadEntry[];
  readonly memory: KnownState;
  readonly background: Background;
}

function tell(entry: ReadEntry, { paired, read, memory, background }: Telling): PanelEvent[] {
  const { reading, at } = entry;
  if (!reading) return [unknownText(entry, background)];
  const subject = subjectOf(entry) ?? '';
  const former = formerOf(entry);
  if (former) {
    memory.rate(subject, memory.ratingBefore(former, at), at);
    memory.rate(former, null, at);
  }
  const earlier = paired ? undefined : toldTwin(entry, memory.told(subject));
  const told = earlier ?? (paired?.leader && paired);
  const before = memory.ratingBefore(subject, at);
  const resetAsReady = paired?.follower?.reading?.form === 'ready' || earlier?.told.form === 'ready';

  const { draft } = reading;
  const events: PanelEvent[] = [];
  for (const kind of eventKindNames) {
    const stated = draft[kind];
    if (!stated || kind === told?.tells) continue;
    const rows = kind === paired?.tells && paired.follower ? [entry, paired.follower] : [entry];
    const change = complete(kind, { draft: stated, before, resetAsReady, rows });
    events.push(
      tellRows(kind, change, kind === 'entity.renamed' ? replacement(entry, read) : rows, background),
    );
  }
  if (reading.unknown.length > 0) events.push(partlyUnknown(entry, reading.unknown, background));

  const after = ratingAfter(entry);
  if (after !== undefined && !paired?.leader) memory.rate(subject, after, at);
  const half = halfOf(entry);
  if (earlier) memory.settle(subject, earlier.told);
  else if (half && !paired) memory.tell(subject, half);
  return events;
}

interface Completing {
  readonly draft: object;
  readonly before: Rating | null;
  readonly resetAsReady: boolean;
  readonly rows: readonly ReadEntry[];
}

/** A draft with what only other rows can tell. */
function complete(
  kind: EventKindName,
  { draft, before, resetAsReady, rows }: Completing,
): Changes[EventKindName] {
  if (kind === 'entity.classified') {
    const { from: said, to = null, direction } = draft as Partial<Changes['entity.classified']>;
    if (direction === 'new') return { from: null, to, direction };
    // The text would have said that the rating changed.
    const unsaid = direction === 'unchanged' ? to : null;
    const from = resetAsReady ? to : (said ?? before ?? unsaid);
    return { from, to, direction: directionOf(from, to) };
  }
  if (kind === 'entity.removed') return { rating: before };
  if (kind === 'entity.added') {
    const copied = rows[1]?.reading?.draft['entity.added'];
    return {
      ...(draft as Changes['entity.added']),
      ...(copied && { copiedFrom: copied.copiedFrom ?? null }),
    };
  }
  return draft as Changes[EventKindName];
}
