import type { InvalidRow } from '../../catalogue/log-row.ts';
import type { Activity } from '../../catalogue/schemas.ts';
import type { Changes, EventKindName } from '../../events/changes.ts';
import { type StateFacts, toEvent } from '../../events/envelope.ts';
import type { EventPanel, PanelEvent, Row } from '../../events/schemas.ts';
import type { Listing } from '../../store/listing.ts';
import type { RecognisedRow, UnrecognisedRow } from '../classify-row.ts';
import type { ShownRating } from './chunk-entities.ts';

/** What events say that is not in the rows they come from. */
export interface EventContext {
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
  readonly rows: readonly RecognisedRow[];
  readonly panel: EventPanel;
}

/** An event of one row, or of rows that one action wrote; the first that states the change gives the id. */
export function eventOfRows<Kind extends EventKindName>(
  kind: Kind,
  { change, rows, panel }: ChangeOfRows<Kind>,
  context: EventContext,
): PanelEvent {
  const lead = rows.find(({ reading }) => reading.draft[kind]) ?? rows[0];
  if (!lead) throw new Error(`Making an event "${kind}": there is no row to make it of`);
  return toEvent({
    kind,
    change: kind === 'panel.signed-off' ? Object.assign({}, change, context.signOffs?.get(lead.key)) : change,
    catalogue: context.catalogue,
    known: context.known,
    key: lead.key,
    at: lead.at,
    panel,
    entity: lead.reading.entity,
    actor: lead.activity.user_name,
    late: rows.some(({ late }) => late),
    rows: rows.map(({ activity }) => activity),
  });
}

/** The event of a row whose text is unknown. */
export function unknownTextEvent(row: UnrecognisedRow, panel: EventPanel, context: EventContext): PanelEvent {
  const { key, at, activity, late } = row;
  return toEvent({
    kind: 'activity.unclassified',
    change: { reason: 'unknown-text', shape: shapeOf(activity), row: activity },
    catalogue: context.catalogue,
    known: context.known,
    key,
    at,
    panel,
    entity: null,
    actor: activity.user_name,
    late,
    rows: [activity],
  });
}

/** The event of a row of which some lines are unknown; its known lines have events of their own. */
export function unknownLinesEvent(row: RecognisedRow, panel: EventPanel, context: EventContext): PanelEvent {
  const { activity, reading } = row;
  const detail = `Not understood: ${reading.unknown.map((line) => JSON.stringify(line)).join(', ')}`;
  const shape = shapeOf({ ...activity, text: reading.unknown.join('\n') });
  const change = { reason: 'unknown-line', detail, shape, row: activity } as const;
  return eventOfRows('activity.unclassified', { change, rows: [row], panel }, context);
}

/** The event of a row that is not an activity. */
export function invalidRowEvent(invalid: InvalidRow, { catalogue }: EventContext): PanelEvent {
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
