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
export const noneSucceeds = (of: FunctionName, { minutes, periods }: Silence): Watch => ({
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
export const someFail = (of: FunctionName, silence: Silence): Watch => ({
  ...noneSucceeds(of, silence),
  statistic: 'maximum',
});

/** By default, raised by the first figure within an hour that is 1 or more; an hour without a figure raises nothing. */
export const raisedBy = (measured: Measured, differs: Partial<Omit<Watch, 'measured'>> = {}): Watch => ({
  ...{ measured, statistic: 'sum', minutes: 60, comparison: 'at least', threshold: 1, periods: 1 },
  ...{ withoutData: 'ok', ...differs },
});

/** As `raisedBy`, of a figure that the runs of a catalogue write. */
export const ofCatalogue = (metric: WatchedMetric, differs: Partial<Omit<Watch, 'measured'>> = {}): Watch =>
  raisedBy({ from: 'catalogue', metric }, differs);
