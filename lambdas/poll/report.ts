import type { PanelEvent } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';
import { type Instant, instantOf, later } from '../run/instant.ts';
import type { Position } from '../store/position.ts';
import type { AnomalyName } from './anomalies.ts';
import type { LogPage } from './log-page.ts';

/** How a poll ended: `begun` is a first poll, which only bookmarked the newest row. */
type Outcome = 'published' | 'quiet' | 'begun' | 'postponed' | 'out-of-time';

const readingOutcomes: ReadonlySet<Outcome> = new Set(['published', 'quiet', 'begun']);

/** Whether a poll that ended so read the log to its newest row. */
export const readsToEnd = (outcome: Outcome): boolean => readingOutcomes.has(outcome);

/** What a poll did. */
export interface PollReport {
  readonly outcome: Outcome;
  /** Where it was postponed, until when, in milliseconds since the epoch. */
  readonly notBefore: number | null;
  /** Rows of the log whose events were published. */
  readonly activities: number;
  /** Of these, rows that appeared before the mark. */
  readonly late: number;
  /** Events accepted, by type. */
  readonly events: Readonly<Record<string, number>>;
  /** Of the events, those of invalid rows, and those in place of events that SNS refused for their content. */
  readonly quarantined: number;
  /** Seconds from the newest row published to the end of the poll; null where none was published. */
  readonly lagSeconds: number | null;
  /** The log's own count of its rows; null where it gave none, or was not read. */
  readonly count: number | null;
  readonly anomalies: readonly AnomalyName[];
  /** Rows that showed up before the overlap less rows that vanished there, since the poll before. */
  readonly difference: number;
  /** Rows that showed up and rows that vanished there, and that nothing has explained so far. */
  readonly unexplained: { readonly surfaced: number; readonly vanished: number };
  /** Late rows that a search before the overlap found. */
  readonly found: number;
  /** Whether a search before the overlap goes on with the next polls. */
  readonly searching: boolean;
  /** Rows that were left for the next poll, because a paired row may still be missing. */
  readonly waiting: number;
}

/** Rows whose events are all published. */
interface FinishedRows {
  readonly activities: number;
  readonly late: number;
  readonly newest: Instant;
}

/** The report of a poll that is still running. */
export interface Report {
  readonly activities: number;
  read(first: LogPage): void;
  anomaly(name: AnomalyName): void;
  waiting(rows: number): void;
  /** How many rows more, or (negative) fewer, the log has before the overlap. */
  differs(rows: number): void;
  /** What the position says at the end of the poll. */
  keeps(older: Position['older'], searching: boolean): void;
  found(rows: number): void;
  published(messages: readonly Message[]): void;
  finished(rows: FinishedRows): void;
  end(outcome: Exclude<Outcome, 'postponed'>): PollReport;
  /** Ends it early, because a service asked for no request before that time. */
  postpone(notBefore: number): PollReport;
}

/** The report of a poll that begins now. */
export function createReport(now: () => number): Report {
  const events: Record<string, number> = {};
  const anomalies: AnomalyName[] = [];
  let activities = 0;
  let late = 0;
  let quarantined = 0;
  let count: number | null = null;
  let waiting = 0;
  let [difference, found] = [0, 0];
  let unexplained = { surfaced: 0, vanished: 0 };
  let searching = false;
  let newest: Instant | null = null;
  const end = (outcome: Outcome, notBefore: number | null = null): PollReport => ({
    outcome,
    notBefore,
    activities,
    late,
    events,
    quarantined,
    lagSeconds: newest === null ? null : Number(instantOf(now()) - newest) / 1e6,
    count,
    anomalies,
    difference,
    unexplained,
    found,
    searching,
    waiting,
  });
  return {
    get activities() {
      return activities;
    },
    read: (first) => {
      count = first.count;
    },
    anomaly: (name) => {
      anomalies.push(name);
    },
    waiting: (rows) => {
      waiting = rows;
    },
    differs: (rows) => {
      difference = rows;
    },
    keeps: (older, goesOn) => {
      unexplained = { surfaced: older?.surfaced ?? 0, vanished: older?.vanished ?? 0 };
      searching = goesOn;
    },
    found: (rows) => {
      found += rows;
    },
    published: (messages) => {
      quarantined += messages.filter(isQuarantined).length;
      for (const { attributes } of messages) {
        const type = attributes.type?.value ?? 'unknown';
        events[type] = (events[type] ?? 0) + 1;
      }
    },
    finished: (rows) => {
      activities += rows.activities;
      late += rows.late;
      newest = newest === null ? rows.newest : later(newest, rows.newest);
    },
    end,
    postpone: (notBefore) => end('postponed', notBefore),
  };
}

function isQuarantined({ topic, body }: Message): boolean {
  if (topic !== 'unclassified') return false;
  const { change } = (JSON.parse(body) as PanelEvent<'activity.unclassified'>).data;
  return change.reason === 'invalid-row';
}
