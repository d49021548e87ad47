import { type Instant, instantOf } from '../clock/instant.ts';
import type { Entry } from '../correlation/entry.ts';
import type { Message } from '../publishing/message.ts';
import type { Sign } from './anomalies.ts';
import type { LogPage } from './log-page.ts';

/** How a poll ended: `begun` is a first run that only took its place at the newest row. */
export type Outcome = 'told' | 'quiet' | 'begun' | 'postponed' | 'out-of-time';

/** What a poll did. */
export interface PollReport {
  readonly outcome: Outcome;
  /** Where it was postponed, until when, in milliseconds since the epoch. */
  readonly notBefore: number | null;
  /** Rows of the log that were told. */
  readonly activities: number;
  /** Of these, rows that appeared behind the mark. */
  readonly late: number;
  /** Events accepted, by type. */
  readonly events: Readonly<Record<string, number>>;
  /** Events that were refused for their content and told as unclassified instead. */
  readonly quarantined: number;
  /** Seconds from the newest row told to the end of the poll; null where none was told. */
  readonly lagSeconds: number | null;
  /** The log's own count of its rows; null where it gave none, or was not read. */
  readonly count: number | null;
  /** Signs that something is wrong. */
  readonly signs: readonly Sign[];
}

/** A report while the poll goes on. */
export interface Report {
  readonly activities: number;
  saw(first: LogPage): void;
  sign(sign: Sign): void;
  told(rows: readonly Entry[]): void;
  published(messages: readonly Message[], quarantined: number): void;
  end(outcome: Exclude<Outcome, 'postponed'>): PollReport;
  /** Ends it for now, since a service wants to be left alone until then. */
  postpone(notBefore: number): PollReport;
}

export function createReport(now: () => number): Report {
  const events: Record<string, number> = {};
  const signs: Sign[] = [];
  let activities = 0;
  let late = 0;
  let quarantined = 0;
  let count: number | null = null;
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
    signs,
  });
  return {
    get activities() {
      return activities;
    },
    saw: (first) => {
      count = first.count;
    },
    sign: (sign) => {
      signs.push(sign);
    },
    told: (rows) => {
      activities += rows.length;
      late += rows.filter((row) => row.late).length;
      for (const { at } of rows) if (newest === null || at > newest) newest = at;
    },
    published: (messages, refused) => {
      quarantined += refused;
      for (const { attributes } of messages) {
        const type = attributes.type?.value ?? 'unknown';
        events[type] = (events[type] ?? 0) + 1;
      }
    },
    end,
    postpone: (notBefore) => end('postponed', notBefore),
  };
}
