import type { ClassifiedRow, RecognisedRow } from '../classifier/classify-row.ts';
import { type Changes, type EventKindName, eventKindNames, type Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { EntityStates } from '../state/store.ts';
import { directionOf } from './direction.ts';
import {
  type EventContext,
  eventOfRows,
  invalidRowEvent,
  unknownLinesEvent,
  unknownTextEvent,
} from './events.ts';
import { replacementRows } from './gene-replacement.ts';
import { createKnownState, type KnownState } from './known-state.ts';
import { candidateOf, type Paired, pairRows, publishedPairOf } from './pairs.ts';
import { recognisedOf } from './recognised.ts';
import { formerSubjectOf, ratingAfter, subjectOf } from './subject.ts';

export interface Correlated {
  readonly events: readonly PanelEvent[];
  /** The entities whose known state the rows changed. */
  readonly known: EntityStates;
}

/**
 * Turns rows, oldest first, into events. Paired rows become one event. `from` and direction come from the text,
 * or else from what earlier rows said of the entity. `known` must hold the state of the entities that
 * `entitiesOf` names.
 */
export function correlate(
  rows: readonly ClassifiedRow[],
  known: EntityStates,
  context: EventContext,
): Correlated {
  const recognised = recognisedOf(rows);
  const pairs = pairRows(recognised);
  const state = createKnownState(known);
  const events = rows.flatMap((row) => {
    if (row.kind === 'invalid') return [invalidRowEvent(row, context)];
    if (row.kind === 'unrecognised') return [unknownTextEvent(row, context)];
    return eventsOf(row, { paired: pairs.get(row.key), recognised, state, context });
  });
  return { events, known: state.changed };
}

/** Keys of the entities whose earlier rows matter for the events of these rows. */
export function entitiesOf(rows: readonly ClassifiedRow[]): readonly string[] {
  const keys = recognisedOf(rows).flatMap((row) => {
    const subject = subjectOf(row);
    const former = formerSubjectOf(row);
    if (subject === null || !(candidateOf(row) || ratingAfter(row) !== undefined || former)) return [];
    return [subject, former ?? subject];
  });
  return [...new Set(keys)];
}

interface Surroundings {
  readonly paired: Paired | undefined;
  /** All recognised rows that are correlated together. */
  readonly recognised: readonly RecognisedRow[];
  readonly state: KnownState;
  readonly context: EventContext;
}

function eventsOf(row: RecognisedRow, { paired, recognised, state, context }: Surroundings): PanelEvent[] {
  const { reading, at } = row;
  const subject = subjectOf(row) ?? '';
  const former = formerSubjectOf(row);
  if (former) {
    state.setRating(subject, state.ratingBefore(former, at), at);
    state.setRating(former, null, at);
  }
  const published = paired ? undefined : publishedPairOf(row, state.unpaired(subject));
  const covered = published ?? (paired?.leader && paired);
  const before = state.ratingBefore(subject, at);
  const markedReady = paired?.follower?.reading.form === 'ready' || published?.row.form === 'ready';

  const events: PanelEvent[] = [];
  for (const kind of eventKindNames) {
    const draft = reading.draft[kind];
    if (!draft || kind === covered?.sharedEvent) continue;
    const rows = kind === paired?.sharedEvent && paired.follower ? [row, paired.follower] : [row];
    const change = complete(kind, { draft, before, markedReady, rows });
    const sources = kind === 'entity.renamed' ? replacementRows(row, recognised) : rows;
    events.push(eventOfRows(kind, change, sources, context));
  }
  if (reading.unknown.length > 0) events.push(unknownLinesEvent(row, context));

  const after = ratingAfter(row);
  if (after !== undefined && !paired?.leader) state.setRating(subject, after, at);
  const candidate = candidateOf(row);
  if (published) state.removeUnpaired(subject, published.row);
  else if (candidate && !paired) state.addUnpaired(subject, candidate);
  return events;
}

interface Draft {
  readonly draft: object;
  readonly before: Rating | null;
  /** Marking as ready set the rating again, to the same. */
  readonly markedReady: boolean;
  readonly rows: readonly RecognisedRow[];
}

/** A draft with what other rows add to it. */
function complete(kind: EventKindName, { draft, before, markedReady, rows }: Draft): Changes[EventKindName] {
  if (kind === 'entity.classified') {
    const { from: stated, to = null, direction } = draft as Partial<Changes['entity.classified']>;
    if (direction === 'new') return { from: null, to, direction };
    // Without a "Rating Changed" line the rating was not changed.
    const implied = direction === 'unchanged' ? to : null;
    const from = markedReady ? to : (stated ?? before ?? implied);
    return { from, to, direction: directionOf(from, to) };
  }
  if (kind === 'entity.removed') return { rating: before };
  if (kind === 'entity.added') {
    const copied = rows[1]?.reading.draft['entity.added'];
    return {
      ...(draft as Changes['entity.added']),
      ...(copied && { copiedFrom: copied.copiedFrom ?? null }),
    };
  }
  return draft as Changes[EventKindName];
}
