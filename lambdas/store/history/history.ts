import type { PanelEvent } from '../../events/schemas.ts';
import type { Filter } from '../../filters/filter.ts';
import type { NameBook } from '../../filters/names.ts';
import type { Message } from '../../publishing/message.ts';
import type { Instant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { sqliteProblem } from '../state-error.ts';

/** A published event as it is kept: the body is what subscribers got, byte for byte. */
export type HistoryRecord = Pick<Message, 'id' | 'topic' | 'body'>;

/** Which events are asked for; without a key, every event. */
export interface HistoryQuery {
  /** Configured name of the catalogue; every catalogue where absent. */
  readonly catalogue?: string;
  /** Earliest `time` of an event, inclusive. */
  readonly since?: Instant;
  /** Latest `time` of an event, exclusive. */
  readonly until?: Instant;
  readonly filter?: Filter;
  /** Words that all occur in the summary, the names or the rows of the log, in any letter case. */
  readonly text?: string;
  /** By `time`; `newest` first unless stated. */
  readonly order?: 'newest' | 'oldest';
  readonly limit?: number;
  /** Whether events that others correct are among them; `findRecords` gives them in any case. */
  readonly withCorrected?: boolean;
}

/** The keys of a filter for whose values no index is kept. */
export type StatedKey = 'panelTypes' | 'rCodes' | 'tags' | 'actors';

/** A period of which the history of one catalogue holds every event. */
export interface Coverage {
  readonly catalogue: string;
  readonly since: Instant;
  readonly until: Instant;
}

/**
 * Every event that was published, once. Events are ordered by `time`, those of one time by `id`. An event without a
 * `time` (a row of the log that could not be read) has the end of the period with which it was appended.
 * @throws {HistoryError} from every method, when the store cannot be read or written
 */
export interface History {
  /**
   * Keeps the events of rows of the log that were read. Where an event of the same `id` is kept already, its body stays.
   * @param period the rows of the log between these instants are settled by these events and earlier ones
   */
  append(records: readonly HistoryRecord[], period: Coverage): Promise<void>;
  /** The events asked for, read in pages as they are consumed. */
  find(query: HistoryQuery): AsyncIterable<PanelEvent>;
  /** As `find`, faster, with empty `activities`: for reports. */
  findWithoutRows(query: HistoryQuery): AsyncIterable<PanelEvent>;
  /** As `find`, with the bodies as they were published, also of events that others correct. */
  findRecords(query: HistoryQuery): AsyncIterable<HistoryRecord>;
  /** The bodies that are kept under the ids of these events, by id, as they were written last by any run. */
  bodiesOf(records: readonly HistoryRecord[]): Promise<ReadonlyMap<string, string>>;
  /** The periods covered, oldest first. Periods of one catalogue that touch are one. */
  coverage(): Promise<readonly Coverage[]>;
  /**
   * The names that panels and entities have and had, to which newer events may be added. A query finds the events of a panel or an entity by any of them.
   * @param whose `panels` where no names of entities are needed: a store may then read less
   * @param catalogue whose names are needed at least; every one's where absent. The role of a function may read some catalogues alone
   */
  names(whose?: 'panels', catalogue?: string): Promise<NameBook>;
  /** The names of all entities that an event has, in the form of `nameKey`; null where the store has no list of them. */
  entityKeys(): Promise<readonly string[] | null>;
  /**
   * Whether an event has a value of a key of the filter, in the form in which events are compared; null where only a search
   * can find out.
   */
  states(key: StatedKey, value: string, catalogue?: string): Promise<boolean | null>;
}

/** The history cannot be read or written; what was kept before is unchanged. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code = 'HISTORY_UNAVAILABLE';
}

/** The place of an event in the order of the history. */
export interface Place {
  readonly at: Instant;
  readonly id: string;
}

/** A place as an address states it: `1732180442000000-99987885d4e6…`. */
export const placeText = ({ at, id }: Place): string => `${at}-${id}`;

/** Null for a text that is no place. */
export function placeIn(text: string): Place | null {
  const [, at, id] = /^(\d{1,17})-([\w.-]{1,200})$/.exec(text) ?? [];
  return at === undefined || id === undefined ? null : { at: BigInt(at), id };
}

/** The words of a text in the form in which they are searched: lower case, without accents. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of an event that a search looks at: its summary, names and actor, and the texts of its rows. */
export function searchedWords({ data }: PanelEvent): readonly string[] {
  const { summary, panel, entity, actor, activities } = data;
  const texts = activities.map(({ text }) => (typeof text === 'string' ? text : ''));
  return wordsOf([summary, panel?.name, entity?.name, actor, ...texts].filter(Boolean).join(' '));
}

/** Whether an event has every word of a search; a search without a word matches every event. */
export function textMatcher(text: string): (event: PanelEvent) => boolean {
  const wanted = wordsOf(text);
  return (event) => {
    const words = new Set(searchedWords(event));
    return wanted.every((word) => words.has(word));
  };
}

type Attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value) => Value;

/** What fails in a state file becomes an error of the history, which says what to do. */
export function attemptOn({ path }: Pick<StateFile, 'path'>): Attempt {
  return (action, work) => {
    try {
      return work();
    } catch (cause) {
      const { seen, remedy } = sqliteProblem(cause);
      throw new HistoryError(`${action} the history in ${path}: ${seen}. ${remedy}`, { cause });
    }
  };
}

/** An event with empty `activities`. */
export const withoutRows = (event: PanelEvent): PanelEvent =>
  event.data.activities.length > 0
    ? ({ ...event, data: { ...event.data, activities: [] } } as PanelEvent)
    : event;
