import type { WatchedMetric } from './metric-names.ts';

/** The limits of the settings (`alarms`). */
export interface AlarmLimits {
  /** Polls in a row that may fail or not start. */
  readonly silentPolls: number;
  readonly lagMinutes: number;
  readonly unclassifiedPercent: number;
  readonly shrunkenPercent: number;
  readonly eventsPerHour: number;
  readonly quietDays: number;
  readonly credentialDays: number;
  /** Where docs/runbook.md is published. */
  readonly runbook?: string | undefined;
}

/** What the alarms of a catalogue depend on. */
export interface AlarmFacts {
  readonly limits: AlarmLimits;
  readonly pollMinutes: number;
  readonly sweepMinutes: number;
  /** Minutes between two runs that prove versions of panels. */
  readonly proveMinutes: number;
  /** Whether the catalogue needs a credential. */
  readonly hasCredential: boolean;
  /** The last day of the credential, such as `2027-03-31`. */
  readonly credentialExpires: string | undefined;
}

/** The dead-letter queues, by the last part of their names. */
export type DeadLetterName = 'missed-runs' | 'failed-runs' | 'undelivered' | 'unsent';

/** The functions whose runs are watched. */
export type FunctionName = 'poll' | 'sweep' | 'prove' | 'notify' | 'relay';

/** What CloudWatch compares with a threshold. AWS's own metrics cost nothing, so they come first. */
type Measured =
  /** 1 for each run of a function that failed, 0 for each that reached its end; nothing where none was started. */
  | { readonly from: 'errors'; readonly of: FunctionName }
  | { readonly from: 'catalogue'; readonly metric: WatchedMetric }
  | { readonly from: 'deployment'; readonly metric: WatchedMetric }
  | { readonly from: 'queue'; readonly queue: DeadLetterName }
  | { readonly from: 'export' }
  /** The age in seconds of the oldest event that is not on the bus yet. */
  | { readonly from: 'event bus' }
  /** Requests to the page that were answered with an error of its own (5xx). */
  | { readonly from: 'page' }
  /** A hundred times `part` divided by `whole`; 0 where `part` is below `atLeast`. */
  | {
      readonly from: 'share';
      readonly part: WatchedMetric;
      readonly whole: WatchedMetric;
      readonly atLeast: number;
    };

/** When CloudWatch raises an alarm: so many periods in a row in which a figure is at least, above or below a threshold. */
export interface Watch {
  readonly measured: Measured;
  readonly statistic: 'sum' | 'minimum' | 'maximum' | 'samples';
  readonly minutes: number;
  readonly comparison: 'at least' | 'above' | 'below';
  readonly threshold: number;
  readonly periods: number;
  /** What a period without data counts as. */
  readonly withoutData: 'ok' | 'alarm';
}

/** Of what there is one alarm of a kind: each catalogue, the messages to people, all queues, the export, the event bus, the page, or the relay. */
export type AlarmScope = 'catalogue' | 'messages' | 'queues' | 'export' | 'event bus' | 'page' | 'relay';

/** One kind of alarm: what it says, when CloudWatch raises it, and whether a run on one machine raises it too. */
export interface AlarmKind {
  /** `catalogue` where absent. */
  readonly scope?: AlarmScope;
  /** One sentence for the reader of the alarm's e-mail: what was observed. */
  readonly observed: (facts: AlarmFacts) => string;
  /** Null where the settings leave no reason for it. */
  readonly watch: (facts: AlarmFacts) => Watch | null;
  /** Why a run on one machine cannot raise it; absent where one does, by the same limits. */
  readonly onlyDeployed?: string;
}

/** How long a function may be silent. */
interface Silence {
  /** Minutes of a period, in which at least one run is due. */
  readonly minutes: number;
  /** Periods in a row. */
  readonly periods: number;
}

/**
 * Raised where no run of a function reached its end in so many periods in a row: each failed, or none was started. Lambda
 * counts the errors of every run without a charge, a run that ends well as zero.
 */
const noneSucceeds = (of: FunctionName, { minutes, periods }: Silence): Watch => ({
  measured: { from: 'errors', of },
  statistic: 'minimum',
  minutes,
  comparison: 'at least',
  threshold: 1,
  periods,
  withoutData: 'alarm',
});

/**
 * Raised where a run of a function failed in each of so many periods in a row, or where none was started. It is for a function
 * with several runs in a period, of which some may succeed while those that matter fail.
 */
const someFail = (of: FunctionName, silence: Silence): Watch => ({
  ...noneSucceeds(of, silence),
  statistic: 'maximum',
});

/** By default, raised by the first figure within an hour that is 1 or more; an hour without a figure raises nothing. */
const raisedBy = (measured: Measured, differs: Partial<Omit<Watch, 'measured'>> = {}): Watch => ({
  ...{ measured, statistic: 'sum', minutes: 60, comparison: 'at least', threshold: 1, periods: 1 },
  ...{ withoutData: 'ok', ...differs },
});

/** As `raisedBy`, of a figure that the runs of a catalogue write. */
const ofCatalogue = (metric: WatchedMetric, differs: Partial<Omit<Watch, 'measured'>> = {}): Watch =>
  raisedBy({ from: 'catalogue', metric }, differs);

/** Minutes for which a message may be due before an alarm is raised: longer than its first attempts take. */
const LATE_MESSAGE_MINUTES = 120;
/** Minutes for which an event may wait for the bus: two attempts. */
const LATE_BUS_MINUTES = 15;
/** Minutes of a period in which the addresses are counted at least once, also where one run is missing. */
const GONE_MINUTES = 180;
/** How much of its room the copy of the page may take: at 100 percent it leaves the oldest events out. */
const FULL_PAGE_PERCENT = 80;
/** Minutes of a period in which `notify`, which is started each minute, must not fail again and again. */
const NOTIFY_MINUTES = 5;

/** Minutes between two runs that write the relay: a list of panels, which says up to when all is known, is as old at most. */
export const RELAY_MINUTES = 60;

/** Raised by the first message of a queue, until it is empty again. */
const anyIn = (queue: DeadLetterName): Watch =>
  raisedBy({ from: 'queue', queue }, { statistic: 'maximum', minutes: 5 });

/** The alarms of what a deployment has once. */
const deploymentAlarms = {
  'missed-runs': {
    scope: 'queues',
    observed: () => 'The scheduler could not start a run',
    watch: () => anyIn('missed-runs'),
    onlyDeployed: 'A run on one machine has no queues.',
  },
  'failed-runs': {
    scope: 'queues',
    observed: () => 'A run failed, and its repetition failed too',
    watch: () => anyIn('failed-runs'),
    onlyDeployed: 'A run on one machine has no queues.',
  },
  'undelivered-messages': {
    scope: 'queues',
    observed: () => 'A subscription could not deliver a message',
    watch: () => anyIn('undelivered'),
    onlyDeployed: 'A run on one machine has no queues.',
  },
  'unsent-messages': {
    scope: 'queues',
    observed: () => 'A message could not be sent to its channel for a day',
    watch: () => anyIn('unsent'),
  },
  'messages-late': {
    scope: 'messages',
    observed: () =>
      `A message has waited for its channel for more than ${LATE_MESSAGE_MINUTES} minutes. Where the settings no longer have the channel, "messages list" names it, "messages move" hands what waits to another one, and "messages drop" drops it`,
    watch: () =>
      raisedBy(
        { from: 'deployment', metric: 'OldestUnsentSeconds' },
        {
          statistic: 'maximum',
          minutes: NOTIFY_MINUTES,
          comparison: 'above',
          threshold: LATE_MESSAGE_MINUTES * 60,
          periods: 3,
        },
      ),
    onlyDeployed: 'The page and the terminal show what waits there.',
  },
  'mail-addresses-gone': {
    scope: 'messages',
    observed: () => 'A mail address of the settings has no confirmed subscription, so SNS sends it nothing',
    watch: () =>
      // Counted once an hour; hours without a sample are hours in which no address was missing.
      raisedBy(
        { from: 'deployment', metric: 'MailAddressesGone' },
        { statistic: 'maximum', minutes: GONE_MINUTES },
      ),
    onlyDeployed: 'A run there sends mail by a mail server, without subscriptions.',
  },
  'messages-stopped': {
    scope: 'messages',
    observed: () =>
      'The function that sends messages has failed, or was not started, in three periods in a row',
    // Its runs that take in events may succeed while those that send fail, and the other way round.
    watch: () => someFail('notify', { minutes: NOTIFY_MINUTES, periods: 3 }),
    onlyDeployed: 'A run there that cannot send cannot report it either; systemd restarts it.',
  },
  'export-late': {
    scope: 'export',
    observed: () => 'Events wait for more than an hour to be written to the bucket of the export',
    watch: () =>
      raisedBy(
        { from: 'export' },
        { statistic: 'maximum', minutes: 5, comparison: 'above', threshold: 3600 },
      ),
    onlyDeployed: 'The export belongs to a deployment.',
  },
  'event-bus-late': {
    scope: 'event bus',
    observed: () => `Events wait for more than ${LATE_BUS_MINUTES} minutes to be put on the event bus`,
    watch: () =>
      raisedBy(
        { from: 'event bus' },
        { statistic: 'maximum', minutes: 5, comparison: 'above', threshold: LATE_BUS_MINUTES * 60 },
      ),
    onlyDeployed: 'The event bus belongs to a deployment.',
  },
  'page-failing': {
    scope: 'page',
    observed: () => 'The page for the team has answered requests with errors for a quarter of an hour',
    watch: () =>
      // A first copy of the history answers 503 too, for some minutes.
      raisedBy({ from: 'page' }, { minutes: 5, periods: 3 }),
    onlyDeployed: 'Who opens the page there sees whether it answers.',
  },
  'page-nearly-full': {
    scope: 'page',
    observed: () =>
      `The copy that the page shows takes more than ${FULL_PAGE_PERCENT} percent of its room: soon it will leave the oldest events out`,
    watch: () =>
      raisedBy(
        { from: 'deployment', metric: 'PageCopyPercent' },
        { statistic: 'maximum', comparison: 'above', threshold: FULL_PAGE_PERCENT },
      ),
    onlyDeployed: 'The page of one machine copies nothing.',
  },
  'relay-stopped': {
    scope: 'relay',
    observed: () =>
      'The function that writes the relay has failed, or was not started, in three periods in a row',
    // The repetition of a run that died may find its lease taken, and ends well without having written anything.
    watch: () => someFail('relay', { minutes: RELAY_MINUTES, periods: 3 }),
    onlyDeployed: 'Who exports the files there sees whether the command failed.',
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;

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
