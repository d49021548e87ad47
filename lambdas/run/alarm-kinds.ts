import {
  type AlarmFacts,
  type AlarmKind,
  type AlarmScope,
  noneSucceeds,
  ofCatalogue,
  raisedBy,
} from './alarm-kind.ts';
import { deploymentAlarms } from './deployment-alarms.ts';

/** Sweeps that may fail or be missing in a row. */
export const SILENT_SWEEPS = 3;
/** Runs of `prove` that may fail or be missing in a row. */
export const SILENT_PROOFS = 6;
/** Responses with HTTP 429 in an hour that raise an alarm. */
export const THROTTLED_IN_AN_HOUR = 3;
/** Fewer texts without a template are not a new wording yet. */
export const FEWEST_UNCLASSIFIED = 3;

const DAY = 24 * 60;

const runAlarms = {
  'no-successful-poll': {
    observed: ({ limits }) => `No poll has succeeded in ${limits.silentPolls} periods in a row`,
    watch: ({ limits, pollMinutes }) =>
      // Each poll that reached its end states the rows that it read, also where there were none. A poll that failed, that was
      // not started or that the catalogue asked to wait states nothing.
      ofCatalogue('ActivitiesRead', {
        statistic: 'samples',
        minutes: pollMinutes,
        comparison: 'below',
        periods: limits.silentPolls,
        withoutData: 'alarm',
      }),
  },
  'sweeps-failing': {
    observed: () => `Sweeps have failed, or were not started, in ${SILENT_SWEEPS} periods in a row`,
    watch: ({ sweepMinutes }) => noneSucceeds('sweep', { minutes: sweepMinutes, periods: SILENT_SWEEPS }),
  },
  'sweeps-unfinished': {
    observed: () =>
      `Sweeps have ended in ${SILENT_SWEEPS} periods in a row before they had compared the listings`,
    watch: ({ sweepMinutes }) =>
      ofCatalogue('SweepsUnfinished', { minutes: sweepMinutes, periods: SILENT_SWEEPS }),
    onlyDeployed: 'The terminal says of each sweep there how it ended.',
  },
  'listing-refused': {
    observed: () =>
      'A listing of the panels or regions was half read, empty, much shorter than before or renumbered, or many panels changed at once without a row',
    watch: ({ sweepMinutes }) => ofCatalogue('ListingsRefused', { minutes: sweepMinutes }),
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;

const proofAlarms = {
  'proofs-failing': {
    observed: () => `No run that proves versions of panels has ended in ${SILENT_PROOFS} periods in a row`,
    watch: ({ proveMinutes }) => noneSucceeds('prove', { minutes: proveMinutes, periods: SILENT_PROOFS }),
  },
  'versions-unproven': {
    observed: () =>
      'A version of a panel has been unproven for a day, or the catalogue, which served states before, has served none for hours',
    watch: ({ proveMinutes }) =>
      // Several runs: the scheduler may start one late, and a run that found none writes nothing. CloudWatch takes a day at most.
      ofCatalogue('VersionsUnprovenForADay', {
        statistic: 'maximum',
        minutes: Math.min(DAY, 4 * proveMinutes),
      }),
  },
  'events-corrected': {
    observed: () => 'A published event stated something false, and was corrected',
    watch: () => ofCatalogue('EventsCorrected'),
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;

/** The alarms of what the activity log holds. */
const logAlarms = {
  'lag-growing': {
    observed: ({ limits }) =>
      `The newest activity was published more than ${limits.lagMinutes} minutes after it was recorded`,
    watch: ({ limits, pollMinutes }) =>
      ofCatalogue('LagSeconds', {
        statistic: 'maximum',
        minutes: pollMinutes,
        comparison: 'above',
        threshold: limits.lagMinutes * 60,
      }),
  },
  'feed-empty': {
    observed: () => 'The catalogue returns an empty activity log',
    watch: () => ofCatalogue('LogEmpty'),
  },
  'feed-shrunken': {
    observed: ({ limits }) =>
      `More than ${limits.shrunkenPercent} % of the rows of the activity log disappeared between two polls`,
    watch: () => ofCatalogue('LogShrunken'),
  },
  'feed-quiet': {
    observed: ({ limits }) => `Polls found no new activity for ${limits.quietDays} days`,
    watch: ({ limits }) =>
      ofCatalogue('ActivitiesRead', { minutes: DAY, comparison: 'below', periods: limits.quietDays }),
  },
  'log-behind-mark': {
    observed: () =>
      'The activity log lacks the newest rows of a panel that is public: it ends before the mark',
    watch: () => ofCatalogue('LogBehindMark'),
  },
  'rows-from-the-future': {
    observed: () => "The activity log has rows that are dated after the catalogue's own time",
    watch: () => ofCatalogue('RowsFromTheFuture'),
  },
  'volume-high': {
    observed: ({ limits }) => `More than ${limits.eventsPerHour} events were published within an hour`,
    watch: ({ limits }) =>
      ofCatalogue('EventsPublished', { comparison: 'above', threshold: limits.eventsPerHour }),
  },
  'unclassified-share': {
    observed: ({ limits }) =>
      `More than ${limits.unclassifiedPercent} % of the activities of six hours have text that no template matches`,
    watch: ({ limits }) =>
      raisedBy(
        { from: 'share', part: 'Unclassified', whole: 'ActivitiesRead', atLeast: FEWEST_UNCLASSIFIED },
        { minutes: 6 * 60, comparison: 'above', threshold: limits.unclassifiedPercent },
      ),
  },
  'rows-quarantined': {
    observed: () => 'A row could not be read, or SNS refused an event for its content',
    watch: () => ofCatalogue('Quarantined'),
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;

const accessAlarms = {
  'catalogue-throttling': {
    observed: () => `The catalogue has answered 429 at least ${THROTTLED_IN_AN_HOUR} times within an hour`,
    watch: () => ofCatalogue('CatalogueThrottled', { threshold: THROTTLED_IN_AN_HOUR }),
  },
  'credential-refused': {
    observed: () => 'The catalogue or its identity provider has refused the credential',
    watch: ({ hasCredential }) => (hasCredential ? ofCatalogue('CredentialRefused') : null),
  },
  'credential-expiring': {
    observed: ({ limits, credentialExpires }) =>
      `The credential expires in less than ${limits.credentialDays} days, on ${credentialExpires}`,
    watch: ({ limits, hasCredential, credentialExpires }) =>
      hasCredential && credentialExpires !== undefined
        ? ofCatalogue('CredentialDaysLeft', {
            statistic: 'minimum',
            minutes: DAY,
            comparison: 'below',
            threshold: limits.credentialDays,
          })
        : null,
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;

/**
 * Every kind of alarm. docs/runbook.md has a heading of the same name for each, and `lambdas/words` the words for
 * people. A run on one machine raises those that say so, by the same limits.
 */
const alarmKinds = { ...runAlarms, ...proofAlarms, ...logAlarms, ...accessAlarms, ...deploymentAlarms };

/** The name of a kind of alarm. */
export type AlarmId = keyof typeof alarmKinds;
export const alarmIds = Object.keys(alarmKinds) as readonly AlarmId[];

/** The alarms that a run on one machine raises. */
export type OwnAlarmId = {
  [Id in AlarmId]: (typeof alarmKinds)[Id] extends Required<Pick<AlarmKind, 'onlyDeployed'>> ? never : Id;
}[AlarmId];

/** A kind by its name, as the alarms of a deployment are made from it. */
export const alarmKind = (id: AlarmId): AlarmKind & { readonly scope: AlarmScope } => ({
  scope: 'catalogue',
  ...alarmKinds[id],
});

/**
 * What an alarm's text says last: the heading of the runbook, as a link where the page is published; else the first step, and where
 * the heading is.
 */
export const whatToDo = (id: AlarmId, { runbook }: Pick<AlarmFacts['limits'], 'runbook'>): string =>
  runbook === undefined
    ? `What to do: run "gene-panel-notifier doctor", which names what is wrong and the next step; "${id}" in docs/runbook.md has the others`
    : `What to do: ${runbook}#${id}`;
