import type { FunctionName, Watch } from './alarm-kind.ts';

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
