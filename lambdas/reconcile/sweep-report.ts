import type { Message } from '../publishing/message.ts';
import type { Completeness } from './completeness.ts';
import type { Refusal } from './listing-guard.ts';
import type { MassChange } from './mass-change.ts';
import type { SignOffReport } from './read-sign-offs.ts';

/**
 * How a sweep ended. `baseline`: the first one, which only stores the listing. `explained`: the log explains every
 * difference. `refused`: the listing could not be trusted. `log-unread`: the log could not be read to its end,
 * so that the differences wait for the next sweep. `interrupted`: the listings have more pages than one sweep may ask
 * for, and the next one goes on from there. `postponed`: the catalogue asks to wait, until `notBefore`.
 */
export type SweepOutcome =
  | 'baseline'
  | 'quiet'
  | 'explained'
  | 'published'
  | 'refused'
  | 'log-unread'
  | 'interrupted'
  | 'out-of-time'
  | 'postponed';

/** What a sweep did. */
export interface SweepReport {
  readonly outcome: SweepOutcome;
  readonly panels: number;
  readonly regions: number;
  /** Panels that differ from the stored listing. */
  readonly changedPanels: number;
  /** Of these, panels whose differences wait: their rows showed up meanwhile, or are searched because they came back. */
  readonly awaitedPanels: number;
  /** The daily count of panel versions since the baseline, where this sweep counted; else null. */
  readonly completeness: Pick<Completeness, 'versions' | 'explained'> | null;
  /** Events accepted, by type. */
  readonly events: Readonly<Record<string, number>>;
  /** Why the listing, or the list of signed-off versions, was not trusted; null where both were. */
  readonly refusal: Refusal | 'sign-offs' | null;
  /** What the list of signed-off versions came to; null where it was not read. */
  readonly signOffs: SignOffReport | null;
  /** The kinds of change that too many panels have, where these wait. */
  readonly massChanges: readonly MassChange[];
  /** Where it was postponed, until when, in milliseconds since the epoch. */
  readonly notBefore: number | null;
}

/** The report of a sweep with what the list of signed-off versions, which is read after it, came to. */
export const withSignOffs = (report: SweepReport, signOffs: SignOffReport): SweepReport => ({
  ...report,
  signOffs,
  refusal: report.refusal ?? (signOffs.outcome === 'refused' ? 'sign-offs' : null),
});

/** A report while the sweep goes on. */
export interface SweepProgress {
  listed(panels: number, regions: number): void;
  compared(changedPanels: number): void;
  awaits(panels: number): void;
  counted(completeness: Completeness): void;
  published(messages: readonly Message[]): void;
  end(outcome: SweepOutcome, refusal?: Refusal, massChanges?: readonly MassChange[]): SweepReport;
  /** Ends it for now: the catalogue accepts no request before then. */
  postpone(notBefore: number): SweepReport;
}

/** An empty report, to be filled. */
export function createSweepReport(): SweepProgress {
  const events: Record<string, number> = {};
  let completeness: SweepReport['completeness'] = null;
  let [panels, regions, changedPanels, awaitedPanels] = [0, 0, 0, 0];
  const end = (
    outcome: SweepOutcome,
    { refusal = null, massChanges = [], notBefore = null }: Partial<SweepReport>,
  ): SweepReport => ({
    outcome,
    panels,
    regions,
    changedPanels,
    awaitedPanels,
    completeness,
    events,
    refusal,
    signOffs: null,
    massChanges,
    notBefore,
  });
  return {
    listed: (listedPanels, listedRegions) => {
      panels = listedPanels;
      regions = listedRegions;
    },
    compared: (count) => {
      changedPanels = count;
    },
    counted: ({ versions, explained }) => {
      completeness = { versions, explained };
    },
    awaits: (count) => {
      awaitedPanels = count;
    },
    published: (messages) => {
      for (const { attributes } of messages) {
        const type = attributes.type?.value ?? 'unknown';
        events[type] = (events[type] ?? 0) + 1;
      }
    },
    end: (outcome, refusal = undefined, massChanges = []) =>
      end(outcome, { ...(refusal && { refusal }), massChanges }),
    postpone: (notBefore) => end('postponed', { notBefore }),
  };
}
