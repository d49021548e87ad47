import type { Traffic } from '../catalogue/http/attempt.ts';
import { type PanelEvent, typeName } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';
import type { Metrics } from '../run/emf.ts';
import { type Instant, instantOf, later } from '../run/instant.ts';
import type { MetricName } from '../run/metric-names.ts';
import type { Position } from '../store/position.ts';

/** How a poll ended: `begun` is a first poll, which only bookmarked the newest row. */
type Outcome = 'published' | 'quiet' | 'begun' | 'postponed' | 'out-of-time';

const readingOutcomes: ReadonlySet<Outcome> = new Set(['published', 'quiet', 'begun']);

/** Whether a poll that ended so read the log to its newest row. */
export const readsToEnd = (outcome: Outcome): boolean => readingOutcomes.has(outcome);

/** What a poll warns of: something may be wrong with the log, with the access to it, or with the state. */
export type AnomalyName =
  | 'log-behind-mark'
  | 'log-shrunken'
  | 'panels-unlisted'
  | 'rows-from-the-future'
  | 'state-set-back';

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
export type Report = ReturnType<typeof createReport>;

type Facts = { -readonly [Name in Exclude<keyof PollReport, 'outcome' | 'notBefore'>]: PollReport[Name] };

/** The report of a poll that begins now. */
export function createReport(now: () => number) {
  const events: Record<string, number> = {};
  const anomalies: AnomalyName[] = [];
  const facts: Facts = {
    ...{ activities: 0, late: 0, events, quarantined: 0, lagSeconds: null, count: null, anomalies },
    ...{ difference: 0, unexplained: { surfaced: 0, vanished: 0 }, found: 0, searching: false, waiting: 0 },
  };
  let newest: Instant | null = null;
  const end = (outcome: Outcome, notBefore: number | null): PollReport => ({
    ...{ outcome, notBefore, ...facts },
    lagSeconds: newest === null ? null : Number(instantOf(now()) - newest) / 1e6,
  });
  return {
    /** What is known by now. */
    facts,
    anomaly: (name: AnomalyName): void => void anomalies.push(name),
    /** What the position says at the end of the poll. */
    keeps({ older, search }: Pick<Position, 'older' | 'search'>): void {
      facts.unexplained = { surfaced: older?.surfaced ?? 0, vanished: older?.vanished ?? 0 };
      facts.searching = search !== null;
    },
    published(messages: readonly Message[]): void {
      facts.quarantined += messages.filter(isQuarantined).length;
      for (const { attributes } of messages) {
        const type = attributes.type?.value ?? 'unknown';
        events[type] = (events[type] ?? 0) + 1;
      }
    },
    finished(rows: FinishedRows): void {
      facts.activities += rows.activities;
      facts.late += rows.late;
      newest = newest === null ? rows.newest : later(newest, rows.newest);
    },
    end: (outcome: Exclude<Outcome, 'postponed'>) => end(outcome, null),
    /** Ends it early, because a service asked for no request before that time. */
    postpone: (notBefore: number) => end('postponed', notBefore),
  };
}

function isQuarantined({ topic, body }: Message): boolean {
  if (topic !== 'unclassified') return false;
  const { change } = (JSON.parse(body) as PanelEvent<'activity.unclassified'>).data;
  return change.reason === 'invalid-row';
}

/** What is measured of a run whether or not it succeeds. */
export interface RunFacts {
  /** Tokens asked for in this run. */
  readonly tokenRequests: number;
  readonly traffic: Traffic;
  /** Milliseconds left to the run. */
  readonly remaining: number;
  /** Days until the credential expires; null where the settings do not say. */
  readonly credentialDays: number | null;
}

/** Codes of errors that refuse a credential, or a token that was issued for it. */
export const refusalCodes: readonly string[] = [
  'CATALOGUE_UNAUTHORIZED',
  'CATALOGUE_FORBIDDEN',
  'CREDENTIAL_REFUSED',
  'TOKEN_REFUSED',
];

const anomalyMetrics: Readonly<Record<AnomalyName, MetricName>> = {
  'log-behind-mark': 'LogBehindMark',
  'log-shrunken': 'LogShrunken',
  'panels-unlisted': 'PanelsUnlisted',
  'rows-from-the-future': 'RowsFromTheFuture',
  'state-set-back': 'StateSetBack',
};

/** Writes the metrics of a run; `outcome` is its report, or the error that it failed with. */
export function measure(metrics: Metrics, outcome: PollReport | Error, facts: RunFacts): void {
  if (outcome instanceof Error) {
    const code = 'code' in outcome ? String(outcome.code) : '';
    if (refusalCodes.includes(code)) metrics.count('CredentialRefused');
    if (code === 'LOG_EMPTY') metrics.count('LogEmpty');
  } else {
    if (outcome.outcome !== 'postponed') {
      metrics.count('SuccessfulPolls');
      metrics.count('ActivitiesRead', outcome.activities);
    }
    metrics.count('LateActivities', outcome.late);
    metrics.count('Quarantined', outcome.quarantined);
    metrics.count('RowsWaiting', outcome.waiting);
    const unclassified = outcome.events[typeName('activity.unclassified')] ?? 0;
    metrics.count('Unclassified', unclassified - outcome.quarantined);
    for (const name of outcome.anomalies) metrics.count(anomalyMetrics[name]);
    for (const [type, count] of Object.entries(outcome.events)) metrics.published(type, count);
    if (outcome.lagSeconds !== null) metrics.gauge('LagSeconds', outcome.lagSeconds);
    if (outcome.count !== null) {
      metrics.gauge('FeedCount', outcome.count);
      metrics.count('RowsUnexplained', outcome.unexplained.surfaced + outcome.unexplained.vanished);
    }
  }
  metrics.count('CatalogueRequests', facts.traffic.requests);
  metrics.count('CatalogueRetries', facts.traffic.retries);
  metrics.count('CatalogueThrottled', facts.traffic.throttled);
  metrics.count('TokenRequests', facts.tokenRequests);
  metrics.gauge('RemainingSeconds', facts.remaining / 1000);
  if (facts.credentialDays !== null) metrics.gauge('CredentialDaysLeft', facts.credentialDays);
  metrics.flush();
}
