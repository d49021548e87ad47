import type { InvalidRow } from '../../catalogue/log-row.ts';
import type { Activity } from '../../catalogue/schemas.ts';
import {
  type Changes,
  type EventKindName,
  eventKindNames,
  type Rating,
  ratings,
} from '../../events/changes.ts';
import { type StateFacts, toEvent } from '../../events/envelope.ts';
import type { EventPanel, PanelEvent, Row } from '../../events/schemas.ts';
import type { EntityState, KnownStates, PanelState } from '../../store/known-states.ts';
import type { Listing } from '../../store/listing.ts';
import type { ClassifiedRow, RecognisedRow, UnrecognisedRow } from '../classify.ts';
import {
  type ChunkEntities,
  createChunkEntities,
  createChunkPanels,
  type ShownRating,
} from './chunk-states.ts';
import {
  candidateOf,
  type Paired,
  pairRows,
  publishedPairOf,
  recognisedOf,
  replacementRows,
  withoutNearerPublished,
} from './pairs.ts';
import {
  directionOf,
  formerSubjectOf,
  membershipAfter,
  needsRating,
  ratingAfter,
  setsInheritance,
  staysUnrated,
  subjectOf,
} from './subject.ts';

/** The events of some rows, and what the rows state. */
export interface Correlated {
  readonly events: readonly PanelEvent[];
  readonly learnt: KnownStates;
}

/**
 * Turns rows, oldest first, into events. Paired rows become one event. `from` and direction come from the text,
 * or else from what earlier rows stated of the entity. `known` must hold the states of the entities that
 * `entitiesOf` names, and of the panels of the rows.
 */
export function correlate(
  rows: readonly ClassifiedRow[],
  known: KnownStates,
  context: EventContext,
): Correlated {
  const recognised = recognisedOf(rows);
  const entities = createChunkEntities(known.entities);
  const pairs = withoutNearerPublished(pairRows(recognised), recognised, entities.unpaired);
  const panels = createChunkPanels(known.panels, context.listing, context.repeated);
  const events: PanelEvent[] = [];
  for (const row of rows) {
    if (row.kind === 'invalid') {
      events.push(invalidRowEvent(row, context));
      continue;
    }
    const previousVersion = promotes(row) ? panels.versionBefore(row) : null;
    const panel = panels.read(row);
    if (row.kind === 'unrecognised') events.push(unknownTextEvent(row, panel, context));
    else {
      const paired = pairs.get(row.key);
      events.push(...eventsOf(row, { paired, recognised, entities, previousVersion, panel, context }));
    }
  }
  return { events, learnt: { entities: entities.changed, panels: panels.changed } };
}

/** Ids of the panels of these rows. */
export function panelsOf(rows: readonly ClassifiedRow[]): readonly number[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'invalid' ? [] : (row.activity.panel_id ?? []))))];
}

/** Keys of the entities whose earlier rows matter for the events of these rows. */
export function entitiesOf(rows: readonly ClassifiedRow[]): readonly string[] {
  const keys = new Set<string>();
  for (const row of rows) {
    if (row.kind !== 'recognised') continue;
    const { subject, former } = entitiesOfRow(row);
    if (subject !== null) keys.add(subject);
    if (former !== null) keys.add(former);
  }
  return [...keys];
}

/** The keys of the entities whose states a row changes or needs; null for a row without, as most comments are. */
function entitiesOfRow(row: RecognisedRow): {
  readonly subject: string | null;
  readonly former: string | null;
} {
  const former = formerSubjectOf(row);
  const matters =
    former !== null ||
    ratingAfter(row) !== undefined ||
    candidateOf(row) !== null ||
    needsRating(row.reading.draft);
  return { subject: matters ? subjectOf(row) : null, former };
}

function promotes(row: ClassifiedRow): boolean {
  return row.kind === 'recognised' && row.reading.draft['panel.promoted'] !== undefined;
}

interface Surroundings {
  readonly paired: Paired | undefined;
  readonly recognised: readonly RecognisedRow[];
  readonly entities: ChunkEntities;
  /** The version of the panel before the row; null where it is unknown. */
  readonly previousVersion: string | null;
  /** The panel as the row leaves it. */
  readonly panel: EventPanel;
  readonly context: EventContext;
}

function eventsOf(row: RecognisedRow, surroundings: Surroundings): PanelEvent[] {
  const { paired, recognised, entities, previousVersion, panel, context } = surroundings;
  const { reading, at } = row;
  const by = { at, version: row.activity.panel_version, isRepeated: context.repeated?.has(row.key) === true };
  const { subject: known, former } = entitiesOfRow(row);
  const subject = known ?? '';
  if (former) {
    const shown = context.ratingBefore?.(row, former);
    entities.setRating(subject, entities.ratingBefore(former, by, shown), by);
    entities.setRating(former, null, { ...by, membership: 'removed' });
  }
  const candidate = candidateOf(row);
  const published = paired ? undefined : publishedPairOf(candidate, entities.unpaired(subject));
  const covered = published ?? (paired?.leader && paired);
  const shown = former ? undefined : context.ratingBefore?.(row, subject);
  const before = entities.ratingBefore(subject, by, shown);
  const unrated = staysUnrated(reading.draft, before);
  const markedReady = paired?.follower?.reading.form === 'ready' || published?.row.form === 'ready';

  const found = context.foundBefore?.(row, former ?? subject) ?? [];
  const last = shown ? undefined : entities.publishedBefore(subject, by);
  const events: PanelEvent[] = [...found];
  for (const kind of kindsOf(reading.draft)) {
    const draft = reading.draft[kind];
    if (!draft || kind === covered?.sharedEvent || (kind === 'entity.classified' && unrated)) continue;
    const rows = kind === paired?.sharedEvent && paired.follower ? [row, paired.follower] : [row];
    const change = complete(kind, { draft, before, last, markedReady, previousVersion, rows });
    const sources = kind === 'entity.renamed' ? replacementRows(row, recognised) : rows;
    events.push(eventOfRows(kind, { change, rows: sources, panel }, context));
  }
  if (reading.unknown.length > 0) events.push(unknownLinesEvent(row, panel, context));

  const after = ratingAfter(row);
  if (after !== undefined && !paired?.leader && !unrated) {
    entities.setRating(subject, after, { ...by, membership: membershipAfter(row) });
  }
  if (published) entities.removeUnpaired(subject, published.row);
  else if (candidate && !paired) entities.addUnpaired(subject, candidate);
  return events;
}

/** The events of one row are published in this order: who takes them as they come knows the new name that the others state. */
const publicationOrder: readonly EventKindName[] = [
  ...new Set<EventKindName>(['entity.renamed', ...eventKindNames]),
];

/** The kinds that a draft has, in the order in which the events of one row are published. */
function kindsOf(draft: RecognisedRow['reading']['draft']): readonly EventKindName[] {
  const kinds = Object.keys(draft) as EventKindName[];
  return kinds.length === 1 ? kinds : publicationOrder.filter((kind) => draft[kind]);
}

interface Draft {
  readonly draft: object;
  readonly before: Rating | null;
  /** The rating that was published last, where no state shows what was true; undefined where none was. */
  readonly last: Rating | undefined;
  /** Marking as ready set the rating again, to the same. */
  readonly markedReady: boolean;
  readonly previousVersion: string | null;
  readonly rows: readonly RecognisedRow[];
}

function complete(
  kind: EventKindName,
  { draft, before, last, markedReady, previousVersion, rows }: Draft,
): Changes[EventKindName] {
  if (kind === 'entity.classified') {
    const { from: stated, to = null, direction } = draft as Partial<Changes['entity.classified']>;
    if (direction === 'new') return { from: null, to, direction };
    // What the text says was so before may be true; that it was published otherwise is certain.
    const isContradicted = stated != null && last !== undefined && last !== stated;
    // Without a "Rating Changed" line the rating was not changed; marking as ready sets it again. A row in between may have changed it.
    const implied = direction === 'unchanged' || markedReady ? (last ?? to) : null;
    const from = isContradicted ? null : (stated ?? before ?? implied);
    return { from, to, direction: directionOf(from, to) };
  }
  if (kind === 'entity.removed') return { rating: before };
  if (kind === 'entity.annotated') return annotated(draft as Changes['entity.annotated'], before, rows);
  if (kind === 'panel.promoted') return { ...(draft as Changes['panel.promoted']), previousVersion };
  if (kind === 'entity.added') {
    const copied = rows[1]?.reading.draft['entity.added'];
    return {
      ...(draft as Changes['entity.added']),
      ...(copied && { copiedFrom: copied.copiedFrom ?? null }),
    };
  }
  return draft as Changes[EventKindName];
}

/** An annotation, with the rating where a reader needs it to know what the change means. */
function annotated(
  draft: Changes['entity.annotated'],
  before: Rating | null,
  rows: readonly RecognisedRow[],
): Changes['entity.annotated'] {
  const [row] = rows;
  const rated = row?.reading.draft['entity.classified'];
  const taken = row && !rated && !keepsRating(row) ? ratingTaken(draft.changes, before) : undefined;
  if (taken !== undefined) return { ...draft, rating: taken };
  return row && setsInheritance(row.reading.draft)
    ? { ...draft, rating: rated ? (rated.to ?? null) : before }
    : draft;
}

/** The command that removes expert reviews keeps the one that gives the rating. */
const keepsRating = ({ reading: { form } }: RecognisedRow): boolean => form === 'expertReviewCleared';

/**
 * The rating whose source was removed, null where that is unknown; undefined where none was. A row that changes more than sources
 * would state another rating.
 */
function ratingTaken(
  changes: Changes['entity.annotated']['changes'],
  before: Rating | null,
): Rating | null | undefined {
  if (changes.some(({ field }) => field !== 'sources')) return undefined;
  if (changes.some(({ aspect }) => aspect === 'all')) return before;
  const sourcesOf = (side: 'added' | 'removed'): readonly string[] =>
    changes.flatMap((change) => change[side] ?? []).map((source) => source.toLowerCase());
  if (sourcesOf('added').some((source) => source.startsWith('expert review '))) return undefined;
  const taken = ratings.find((rating) => sourcesOf('removed').includes(`expert review ${rating}`));
  // An entity may have had several expert reviews: which of them rated it is not guessed.
  return taken !== undefined && (before === null || before === taken) ? before : undefined;
}

/** What events say that is not in the rows they come from. */
interface EventContext {
  readonly catalogue: { readonly name: string; readonly url: string };
  /** The panels as `/panels/` listed them last; null where they were never listed. */
  readonly listing: Listing | null;
  /** What the states of panels say; absent where none is kept. */
  readonly known?: StateFacts | undefined;
  /** The rating of an entity, by its key, before a row; undefined where rows and listings alone show it. */
  readonly ratingBefore?: ((row: RecognisedRow, key: string) => ShownRating | undefined) | undefined;
  /** Changes of an entity, by its key, that no row states and that were so before a row, oldest first. */
  readonly foundBefore?: ((row: RecognisedRow, key: string) => readonly PanelEvent[]) | undefined;
  /** The keys of rows whose events were published before: what is newer than such a row stays known. */
  readonly repeated?: ReadonlySet<string> | undefined;
  /** What the list of signed-off versions adds to rows, by their keys. */
  readonly signOffs?: ReadonlyMap<string, Partial<Changes['panel.signed-off']>> | undefined;
}

interface ChangeOfRows<Kind extends EventKindName> {
  readonly change: Changes[Kind];
  readonly rows: readonly (RecognisedRow | UnrecognisedRow)[];
  readonly panel: EventPanel;
}

/** An event of one row, or of rows that one action wrote; the first that states the change gives the id. */
function eventOfRows<Kind extends EventKindName>(
  kind: Kind,
  { change, rows, panel }: ChangeOfRows<Kind>,
  context: EventContext,
): PanelEvent {
  const lead = rows.find((row) => row.kind === 'recognised' && row.reading.draft[kind]) ?? rows[0];
  if (!lead) throw new Error(`Making an event "${kind}": there is no row to make it of`);
  return toEvent({
    kind,
    change: kind === 'panel.signed-off' ? Object.assign({}, change, context.signOffs?.get(lead.key)) : change,
    catalogue: context.catalogue,
    known: context.known,
    key: lead.key,
    at: lead.at,
    panel,
    entity: lead.kind === 'recognised' ? lead.reading.entity : null,
    actor: lead.activity.user_name,
    late: rows.some(({ late }) => late),
    rows: rows.map(({ activity }) => activity),
  });
}

function unknownTextEvent(row: UnrecognisedRow, panel: EventPanel, context: EventContext): PanelEvent {
  const change = { reason: 'unknown-text', shape: shapeOf(row.activity), row: row.activity } as const;
  return eventOfRows('activity.unclassified', { change, rows: [row], panel }, context);
}

/** The event of a row of which some lines are unknown; its known lines have events of their own. */
function unknownLinesEvent(row: RecognisedRow, panel: EventPanel, context: EventContext): PanelEvent {
  const { activity, reading } = row;
  const detail = `Not understood: ${reading.unknown.map((line) => JSON.stringify(line)).join(', ')}`;
  const shape = shapeOf({ ...activity, text: reading.unknown.join('\n') });
  const change = { reason: 'unknown-line', detail, shape, row: activity } as const;
  return eventOfRows('activity.unclassified', { change, rows: [row], panel }, context);
}

/** The event of a row that is not an activity. */
function invalidRowEvent(invalid: InvalidRow, { catalogue }: EventContext): PanelEvent {
  const { key, row, problem, late } = invalid;
  const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
  return toEvent({
    kind: 'activity.unclassified',
    change: { reason: 'invalid-row', detail: problem, row },
    catalogue,
    key,
    at: null,
    panel: null,
    entity: null,
    actor: null,
    late,
    rows: isObject ? [row as Row] : [],
  });
}

/**
 * The wording of an unrecognised text, without what people wrote into it. Placeholders replace the names of the entity,
 * panel and actor, and every word that could be a name, a number or an identifier. Texts of one wording have one shape,
 * so that a maintainer sees which wording to add, and how often it came. It holds no personal data.
 */
export function shapeOf({ text, entity_name, panel_name, user_name }: Activity): string {
  const [line = ''] = text.split('\n', 1);
  let masked = line.slice(0, READ);
  for (const [name, placeholder] of [
    [panel_name, '⟨panel⟩'],
    [entity_name, '⟨entity⟩'],
    [user_name, '⟨actor⟩'],
  ] as const) {
    if (name && name.trim().length > 1) masked = masked.replaceAll(name, placeholder);
  }
  const words = masked.split(/\s+/).filter(Boolean).slice(0, WORDS).map(wordOf);
  const shape = words.filter((word, index) => word !== HIDDEN || words[index - 1] !== HIDDEN).join(' ');
  return text.includes('\n') ? `${shape} ⏎` : shape;
}

const READ = 400;
const WORDS = 16;
const HIDDEN = '…';

/** Words of the software are lower case, but for the first; all others may be anything. */
function wordOf(word: string, index: number): string {
  if (/^(?:⟨\w+⟩|gene:|STR:|Region:|Gene:)[.,:;]?$/.test(word)) return word;
  const software = index === 0 ? /^[A-Z]?[a-z]{1,20}[.,:;]?$/ : /^[a-z]{1,20}[.,:;]?$/;
  return software.test(word) ? word : HIDDEN;
}

/** Known states, to which the rows of each correlated chunk are added; at first without any entity or panel. */
export function createKnownStates() {
  const entities = new Map<string, EntityState>();
  const panels = new Map<number, PanelState>();
  return {
    entities,
    panels,
    learn(learnt: KnownStates): void {
      for (const [key, state] of learnt.entities) entities.set(key, state);
      for (const [id, state] of learnt.panels) panels.set(id, state);
    },
  };
}
