interface MetricFacts {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds' | 'None';
  readonly meaning: string;
  readonly zero?: boolean;
}

/**
 * The metrics of a run. Alarms, dashboard and the operator's table are derived from this list, so a metric that is renamed
 * here is renamed everywhere. With `zero`, a count of zero is written too, because an alarm watches for zero over days.
 */
export const metricList = [
  { name: 'SuccessfulPolls', unit: 'Count', meaning: 'Polls that reached their end' },
  { name: 'ActivitiesRead', unit: 'Count', meaning: 'Rows of the activity log that were new', zero: true },
  { name: 'EventsPublished', unit: 'Count', meaning: 'Events accepted by SNS, also by Type' },
  { name: 'Unclassified', unit: 'Count', meaning: 'Rows with text that no template matches' },
  { name: 'LateActivities', unit: 'Count', meaning: 'Rows that appeared behind the mark' },
  { name: 'Quarantined', unit: 'Count', meaning: 'Invalid rows, and events that SNS refused' },
  { name: 'LogBehindMark', unit: 'Count', meaning: 'Polls that found the newest row older than the mark' },
  { name: 'LogShrunken', unit: 'Count', meaning: 'Polls that found far fewer rows than the poll before' },
  { name: 'PanelsUnlisted', unit: 'Count', meaning: 'Polls that could not read the list of panels' },
  {
    name: 'RowsFromTheFuture',
    unit: 'Count',
    meaning: 'Polls that found rows dated after the catalogue’s own time',
  },
  { name: 'StateSetBack', unit: 'Count', meaning: 'Polls that found a state older than one that was in use' },
  {
    name: 'RowsWaiting',
    unit: 'Count',
    meaning: 'Rows left for the next poll, because a paired row may be missing',
  },
  {
    name: 'RowsUnexplained',
    unit: 'Count',
    meaning: 'Rows that surfaced or vanished behind the overlap and that no row found and no panel explains',
  },
  { name: 'SuccessfulSweeps', unit: 'Count', meaning: 'Sweeps that compared both listings to their end' },
  { name: 'ListingsRefused', unit: 'Count', meaning: 'Sweeps whose listing could not be trusted' },
  { name: 'PanelsListed', unit: 'Count', meaning: 'Panels that the catalogue lists' },
  { name: 'RegionsListed', unit: 'Count', meaning: 'Regions that the catalogue lists, by panel' },
  {
    name: 'CompletenessPercent',
    unit: 'None',
    meaning:
      'Once a day: panel versions since the baseline that have a row of the log or an event of a sweep',
  },
  { name: 'LagSeconds', unit: 'Seconds', meaning: 'From the newest row’s time to its publication' },
  { name: 'FeedCount', unit: 'Count', meaning: 'Rows that the catalogue states in `count`' },
  { name: 'CatalogueRequests', unit: 'Count', meaning: 'Requests to the catalogue, including retries' },
  { name: 'CatalogueRetries', unit: 'Count', meaning: 'Requests retried after a transient error' },
  { name: 'CatalogueThrottled', unit: 'Count', meaning: 'Responses with HTTP 429' },
  { name: 'TokenRequests', unit: 'Count', meaning: 'Requests for access tokens' },
  { name: 'CredentialRefused', unit: 'Count', meaning: 'Credentials or tokens refused' },
  { name: 'CredentialDaysLeft', unit: 'None', meaning: 'Days until the credential expires, where stated' },
  { name: 'RemainingSeconds', unit: 'Seconds', meaning: 'Time left when the run ended' },
] as const satisfies readonly MetricFacts[];

export type MetricName = (typeof metricList)[number]['name'];

/** On every metric: the catalogue's configured name. */
export const catalogueDimension = 'Catalogue';

/** On `EventsPublished` as well: the CloudEvent's type. */
export const typeDimension = 'Type';
