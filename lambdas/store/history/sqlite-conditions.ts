import { eventKindNames, eventKinds } from '../../events/changes.ts';
import { type NormalizedFilter, normalized } from '../../filters/filter.ts';
import { kindsOfKeys } from '../../filters/filter-policy.ts';
import type { Names } from '../../filters/names.ts';
import { NO_PANEL } from '../sqlite-schema.ts';
import type { HistoryQuery, StatedKey } from './history.ts';
import { wordsOf } from './searched-words.ts';
import { hasKey } from './sqlite-event-index.ts';

type Value = string | number | bigint;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
  /** Whether an index finds the events, in another order than that of time. */
  readonly isSorted?: true;
}

/** Longer lists are left to the compiled filter, which looks a name up in a set. */
const LONGEST_LIST = 500;

/**
 * What SQLite can decide of a query. The conditions let pass every event that the query asks for, and some that the
 * compiled filter then drops. Of panel names and types, R codes, tags and actors they compare a part with the text of
 * the event, so that most other events need not be read.
 * @param first the number of the first event of which the words are looked at; of all of them where absent
 */
export function conditionsOf(query: HistoryQuery, names: Names, first?: number): readonly Condition[] {
  const { catalogue, since, until, filter = {}, text, withCorrected = false } = query;
  const wanted = normalized(filter, names);
  const match = matchOf(wordsOf(text ?? ''));
  const conditions: readonly (Condition | false | undefined)[] = [
    catalogue !== undefined && { sql: 'event.catalogue = ?', values: [catalogue] },
    since !== undefined && { sql: 'event.at >= ?', values: [Number(since)] },
    until !== undefined && { sql: 'event.at < ?', values: [Number(until)] },
    match !== null && {
      sql: `event.seq IN (SELECT rowid FROM search WHERE search MATCH ?${first === undefined ? '' : ' AND rowid >= ?'})`,
      // A number is bound as a floating-point one, which the search index takes for no bound: it would go through all events that have the word.
      values: [match, ...(first === undefined ? [] : [BigInt(first)])],
      isSorted: true,
    },
    indexed('name', wanted.possibleGenes, query),
    // Rows of a panel that is deleted have no id; the compiled filter compares their names.
    indexed('panel', panelIdsOf(wanted)?.concat(NO_PANEL), query),
    list(wanted.catalogues, (marks) => `event.catalogue IN (${marks})`),
    list(kindsOf(wanted), (marks) => `event.kind IN (${marks})`),
    list(wanted.entityTypes, (marks) => `event.entity_type IN (${marks})`),
    list(wanted.from, (marks) => `event.rating_from IN (${marks})`),
    list(wanted.to, (marks) => `event.rating_to IN (${marks})`),
    list(wanted.direction, (marks) => `event.direction IN (${marks})`),
    ...stating('panelTypes', wanted.panelTypes, HEAD),
    ...stating('rCodes', wanted.rCodes, HEAD),
    ...stating('tags', wanted.tags, HEAD_AND_TAIL),
    ...stating('actors', wanted.actors, HEAD),
    !withCorrected && { sql: 'event.id NOT IN (SELECT id FROM corrected_event)', values: [] },
    wanted.late !== undefined && { sql: 'event.late = ?', values: [Number(wanted.late)] },
  ];
  return conditions.filter((condition) => typeof condition === 'object');
}

/** What the search index is asked for; null without a word. */
export const matchOf = (words: readonly string[]): string | null =>
  words.length === 0 ? null : words.map((word) => `"${word}"`).join(' ');

function panelIdsOf({ panelIds, namedPanels = [] }: NormalizedFilter): readonly number[] | undefined {
  return panelIds && [...new Set([...panelIds, ...namedPanels.map(({ id }) => id)])];
}

/** The kinds that topics, types and the keys of some kinds leave, where the filter has any. */
function kindsOf(wanted: NormalizedFilter): readonly string[] | undefined {
  const { kinds, topics } = wanted;
  const able = kindsOfKeys(wanted);
  if (!topics && !kinds && able.length === 0) return undefined;
  return eventKindNames.filter(
    (kind) =>
      (topics?.includes(eventKinds[kind].topic) ?? true) &&
      (kinds?.includes(kind) ?? true) &&
      able.every((some) => some.includes(kind)),
  );
}

/** Events that an index leads to. The period of a query bounds what the index gives. */
function indexed(
  key: 'name' | 'panel',
  wanted: readonly Value[] | undefined,
  { since, until }: HistoryQuery,
): Condition | undefined {
  const bounds = [
    ...(since === undefined ? [] : [{ sql: 'at >= ?', value: Number(since) }]),
    ...(until === undefined ? [] : [{ sql: 'at < ?', value: Number(until) }]),
  ];
  const found = list(wanted, (marks) =>
    hasKey(
      key,
      marks,
      bounds.map(({ sql }) => sql),
    ),
  );
  if (!found) return undefined;
  const values = [...found.values, ...bounds.map(({ value }) => value)];
  return { sql: found.sql, values: [...values, ...values], isSorted: true };
}

function list(
  values: readonly Value[] | undefined,
  sqlOf: (placeholders: string) => string,
): Condition | undefined {
  if (!values || values.length > LONGEST_LIST) return undefined;
  return { sql: sqlOf(values.map(() => '?').join(', ')), values };
}

const HEAD = 'lower(event.head)';
const HEAD_AND_TAIL = 'lower(event.head || event.tail)';
/** Longer lists of texts are left to the compiled filter. */
const MOST_TEXTS = 20;

/** Values for which there is no index: where no event has any of them, no event is looked at. */
const stating = (key: StatedKey, values: readonly string[] | undefined, text: string) => [
  list(
    values,
    (marks) => `(SELECT count(*) FROM stated_value WHERE key = '${key}' AND value IN (${marks})) > 0`,
  ),
  containing(values, text),
];

/** Whether a text holds a part of one of the values; undefined where a value has no part that can be looked for. */
function containing(values: readonly string[] | undefined, text: string): Condition | undefined {
  if (!values || values.length === 0 || values.length > MOST_TEXTS) return undefined;
  const parts = values.map(plainPartOf);
  if (parts.some((part) => part.length < 2)) return undefined;
  return { sql: `(${parts.map(() => `instr(${text}, ?) > 0`).join(' OR ')})`, values: parts };
}

/**
 * The longest part of a value that the JSON of an event holds in the same characters, in lower case. SQLite
 * lowers ASCII letters only; the one other character that becomes an ASCII letter in lower case is the kelvin sign.
 */
function plainPartOf(value: string): string {
  const parts = value.toLowerCase().match(/[a-jl-z0-9.]+/g) ?? [];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
