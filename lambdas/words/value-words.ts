import type { Annotation, PanelChange, Rating } from '../events/changes.ts';
import { inheritanceGroupOf } from '../events/inheritance.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { annotationName } from '../events/summary.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { cleanLine } from './clean-text.ts';
import { type Phrase, phrase, ratingPiece, statusPiece } from './phrase.ts';

/** The members of a list. They are joined by semicolons, because a member may hold commas. */
export const listWords = (list: readonly string[]): string => cleanLine(list.join('; '));

/** A changed field and its value: `phenotypes: added Deafness`. */
export function fieldChange(change: Annotation): string {
  const isStated = listChanges(change).length > 0 || valueWord(change.to) !== undefined;
  return `${fieldWord(change)}${isStated ? ':' : ''} ${valueChange(change)}`;
}

/** A change of value, as far as the event states it: `“A” → “B”`. */
export function valueChange(change: Annotation | PanelChange): string {
  const lists = listChanges(change);
  if (lists.length > 0) return lists.join('; ');
  const [before, now] = [valueWord(change.from), valueWord(change.to)];
  if (now === undefined && before === EMPTY) return 'filled in (the log does not say with what)';
  if (now === undefined) return before === undefined ? 'changed' : `changed (before: ${before})`;
  return before === undefined ? `now ${now}` : `${before} → ${now}`;
}

/**
 * A mode of inheritance in short: `BOTH monoallelic and biallelic`. What nearly every gene has is left out; imprinting and
 * severity are not.
 */
const shortInheritance = (mode: string): string =>
  cleanLine(mode.replace(', autosomal or pseudoautosomal', '').replace(', NOT imprinted', ''));

/** `mode of inheritance: BIALLELIC`, in short; empty where none is known. */
export const inheritanceLabel = (mode: string | null | undefined): string =>
  mode ? `mode of inheritance: ${inheritanceWords(mode)}` : '';

/** A mode of inheritance in short beside another one: never empty. */
export const inheritanceWords = (mode: string | null): string =>
  inheritanceGroupOf(mode) === 'unknown' ? 'not stated' : shortInheritance(mode ?? '');

/** What a list of changes of the mode of inheritance is called. */
export const INHERITANCE_CHANGED = 'mode of inheritance changed';

/** Whether an entity whose mode of inheritance changed is green. */
export const ratedAsWords = (rating: EntityStatus): string =>
  rating === 'green' ? 'green' : 'the rating is unknown';

function listChanges(change: Annotation | PanelChange): readonly string[] {
  const { added = [], removed = [] } = change as Pick<Annotation, 'added' | 'removed'>;
  return [
    ...(added.length > 0 ? [`added ${listWords(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${listWords(removed)}`] : []),
  ];
}

function valueWord(value: string | readonly string[] | null | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value === null ? '' : typeof value === 'string' ? cleanLine(value) : listWords(value);
  return text === '' ? EMPTY : text;
}

const EMPTY = 'empty';

/** The name of a changed field. Its aspect is text of the catalogue. */
export const fieldWord = (change: Annotation): string => cleanLine(annotationName(change));

/** A rating that was found late and holds no longer: it is said as past, never as something new. */
interface PastRating {
  readonly rating: Rating;
  /** The versions of the panel at which it began and ended; null where they are unknown. */
  readonly from: string | null;
  readonly until: string | null;
  /** What has held since. */
  readonly since: EntityStatus;
}

type Classified = PanelEvent<'entity.classified'>;
type PastChange = Classified['data']['change'] & { readonly past?: PastRating };

/** The event of a rating that holds no longer, for the words of a message. */
export const asPast = (event: Classified, past: PastRating): Classified => ({
  ...event,
  data: { ...event.data, change: { ...event.data.change, past } as PastChange },
});

/** What holds no longer of a change of rating; undefined where it holds. */
export const pastIn = (change: Classified['data']['change']): PastRating | undefined =>
  (change as PastChange).past;

/** Whether an event states a rating that holds no longer. */
export const isPast = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.classified.v1' && pastIn(event.data.change) !== undefined;

/** ` from 0.9 to 0.11; green since`, after `was red`. */
export function pastSpan({ from, until, since }: PastRating): Phrase {
  const [first, last] = [cleanLine(from ?? ''), cleanLine(until ?? '')];
  const span =
    first === '' || last === ''
      ? ' for a time'
      : first === last
        ? ` in ${first}`
        : ` from ${first} to ${last}`;
  return phrase`${span}; ${since === 'absent' ? 'removed' : [statusPiece(since)]} since`;
}

/** `was red from 0.9 to 0.11; green since`. */
export const pastWords = (past: PastRating): Phrase =>
  phrase`was ${ratingPiece(past.rating)}${pastSpan(past)}`;

/** Times as a reader in one time zone writes them: months in letters, the zone named. */
export type TimeWords = ReturnType<typeof timeWords>;

/** @throws {RangeError} when `zone` is not a time zone such as `Europe/London` */
export function timeWords(zone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  const long = format({ day: 'numeric', month: 'long', year: 'numeric' });
  const short = format({ day: 'numeric', month: 'long' });
  const digits = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const hour = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = (time: string): Date => new Date(time);
  const day = (time: string): string => long.format(date(time));
  const shortDay = (time: string): string => short.format(date(time));
  return {
    /** `21 November 2026`. */
    day,
    /** `21 November`. */
    shortDay,
    /** `2026-11-21`, for a file. */
    isoDay: (time: string) => digits.format(date(time)).split('/').reverse().join('-'),
    /** `21 November 2026, 09:14 (London)`. */
    moment: (time: string) => `${day(time)}, ${hour.format(date(time))} (${zoneWord(zone)})`,
    /** `09:14`, with the day where it is another day than that of `now`. */
    clock: (time: string, now: string) => {
      const at = hour.format(date(time));
      return day(time) === day(now) ? at : `${at} on ${shortDay(time)}`;
    },
    /** `14–21 November 2026`, `30 November – 7 December 2026`. */
    period: (since: string, until: string) => {
      const [from, to] = [day(since).split(' '), day(until).split(' ')];
      if (from[2] !== to[2]) return `${day(since)} – ${day(until)}`;
      if (from[1] !== to[1]) return `${shortDay(since)} – ${day(until)}`;
      return from[0] === to[0] ? day(until) : `${from[0]}–${day(until)}`;
    },
  };
}

/** `London` of `Europe/London`. */
const zoneWord = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
