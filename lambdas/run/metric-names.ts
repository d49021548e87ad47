interface MetricFacts {
  readonly name: string;
  /** A count where none is stated. */
  readonly unit?: 'Seconds' | 'None';
  readonly meaning: string;
  /** Whether CloudWatch keeps it as a metric, for an alarm; other figures are fields of the same log line. */
  readonly watched?: true;
  readonly zero?: true;
}

/**
 * The figures of a run, written as one log line. CloudWatch charges each metric by the month, so only those that an alarm
 * watches are metrics; the dashboard reads the others from the log. With `zero`, a count of zero is written too, because
 * an alarm watches for zero, or counts the runs.
 */
export const metricList = [
  { name: 'SuccessfulPolls', meaning: 'Polls that reached their end' },
  {
    name: 'ActivitiesRead',
    meaning: 'Rows of the activity log that were new; one sample for each poll that reached its end',
    watched: true,
    zero: true,
  },
  {
    name: 'EventsPublished',
    meaning: 'Events accepted by SNS; lines with `Type` count them by type',
    watched: true,
  },
  { name: 'Unclassified', meaning: 'Rows with text that no template matches', watched: true },
  { name: 'LateActivities', meaning: 'Rows that appeared before the mark' },
  { name: 'Quarantined', meaning: 'Invalid rows, and events that SNS refused', watched: true },
  { name: 'LogBehindMark', meaning: 'Polls that found the newest row older than the mark', watched: true },
  { name: 'LogEmpty', meaning: 'Polls that found a log without rows', watched: true },
  { name: 'LogShrunken', meaning: 'Polls that found far fewer rows than the poll before', watched: true },
  { name: 'PanelsUnlisted', meaning: 'Polls that could not read the list of panels' },
  {
    name: 'RowsFromTheFuture',
    meaning: 'Polls that found rows dated after the catalogue’s own time',
    watched: true,
  },
  { name: 'StateSetBack', meaning: 'Polls that found a state older than one that was in use' },
  { name: 'RowsWaiting', meaning: 'Rows left for the next poll, because a paired row may be missing' },
  {
    name: 'RowsUnexplained',
    meaning: 'Rows that showed up or vanished before the overlap and that no row found and no panel explains',
  },
  { name: 'SuccessfulSweeps', meaning: 'Sweeps that compared both listings to their end' },
  {
    name: 'SweepsUnfinished',
    meaning: 'Sweeps that ended before they had compared both listings, and left the rest to the next one',
    watched: true,
  },
  {
    name: 'ListingsRefused',
    meaning: 'Sweeps whose listing, and runs of `prove` whose states, could not be trusted',
    watched: true,
  },
  { name: 'PanelsListed', meaning: 'Panels that the catalogue lists' },
  { name: 'RegionsListed', meaning: 'Regions that the catalogue lists, by panel' },
  {
    name: 'CompletenessPercent',
    unit: 'None',
    meaning:
      'Panel versions since the baseline that are proven; of a catalogue that serves no states, once a day, those that have a row of the log or an event of a sweep',
  },
  {
    name: 'VersionsUnprovenForADay',
    meaning: 'Panel versions that nothing has proven for a day',
    watched: true,
  },
  { name: 'VersionsUnproven', meaning: 'Panel versions that nothing proves yet' },
  {
    name: 'EventsCorrected',
    meaning:
      'Events that stated another earlier value than the catalogue’s archive, and that a run of `prove` corrected',
    watched: true,
  },
  { name: 'VersionsProven', meaning: 'Panel versions that a run of `prove` proved or explained' },
  {
    name: 'PanelsUnread',
    meaning: 'Panels with a state or a version that a run of `prove` left to the next one',
  },
  { name: 'StateRequests', meaning: 'Requests for states of panels, of a run of `prove`' },
  {
    name: 'LagSeconds',
    unit: 'Seconds',
    meaning: 'From the newest row’s time to its publication',
    watched: true,
  },
  { name: 'FeedCount', meaning: 'Rows that the catalogue states in `count`' },
  { name: 'CatalogueRequests', meaning: 'Requests to the catalogue, including retries' },
  { name: 'CatalogueRetries', meaning: 'Requests retried after a transient error' },
  { name: 'CatalogueThrottled', meaning: 'Responses with HTTP 429', watched: true },
  { name: 'TokenRequests', meaning: 'Requests for access tokens' },
  { name: 'CredentialRefused', meaning: 'Credentials or tokens refused', watched: true },
  {
    name: 'CredentialDaysLeft',
    unit: 'None',
    meaning: 'Days until the credential expires, where stated',
    watched: true,
  },
  { name: 'RemainingSeconds', unit: 'Seconds', meaning: 'Time left when the run ended' },
  {
    name: 'OldestUnsentSeconds',
    unit: 'Seconds',
    meaning: 'How long the oldest message that is due has waited, where one waits',
    watched: true,
  },
  {
    name: 'MailAddressesGone',
    meaning: 'Mail addresses without a confirmed subscription to their topic, counted once an hour',
    watched: true,
  },
  {
    name: 'PageCopyPercent',
    unit: 'None',
    meaning: 'How much of the room for events the copy of the page takes; at 100 older events are left out',
    watched: true,
  },
] as const satisfies readonly MetricFacts[];

type Listed = (typeof metricList)[number];
/** A figure of a run. */
export type MetricName = Listed['name'];

/** A figure that CloudWatch keeps as a metric: an alarm can watch it. */
export type WatchedMetric = Extract<Listed, { readonly watched: true }>['name'];

/** On every metric of a catalogue: its configured name. */
export const catalogueDimension = 'Catalogue';

/** The field of a log line that counts the events of one type (`EventsOfType`). */
export const typeDimension = 'Type';
