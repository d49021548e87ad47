import type { SweepOutcome, SweepReport } from '../lambdas/reconcile/sweep-report.ts';
import { counted } from '../lambdas/run/text.ts';
import { refusalWords } from '../lambdas/words/panel-words.ts';

/** Outcomes of a sweep that no printed event shows. */
export const reportedOutcomes: ReadonlySet<SweepOutcome> = new Set([
  'baseline',
  'refused',
  'log-unread',
  'postponed',
]);

const remedies: Readonly<Partial<Record<NonNullable<SweepReport['refusal']>, string>>> = {
  shrunken: ' (--shrunken-listing or --accept allows it)',
  renumbered: ' (poll --only listings --accept stores them without events)',
  'sign-offs':
    '; new sign-offs are published by a sweep an hour later that sees the same, lost ones by poll --only listings --accept',
};

const refusedWords = (refusal: NonNullable<SweepReport['refusal']>): string =>
  `${refusalWords[refusal]}${remedies[refusal] ?? ''}`;

/** Why a sweep published nothing, for a person. */
export function reasonOf({ refusal, massChanges }: SweepReport): string {
  if (refusal === null) return 'the listings are not trusted';
  if (massChanges.length === 0) return refusedWords(refusal);
  const kinds = massChanges.map(({ kind, panels }) => `${kind} on ${counted(panels, 'panel')}`);
  return `${refusalWords[refusal]} (${kinds.join(', ')}); a sweep an hour later that sees the same publishes it, or poll --only listings --accept`;
}

/** What a sweep did, in a line. */
export function summaryOfSweep(report: SweepReport, requests: number): string {
  return `${summaryOfListings(report, requests)}${summaryOfSignOffs(report)}`;
}

function summaryOfSignOffs({ signOffs, refusal }: SweepReport): string {
  if (!signOffs) return '';
  const { outcome, events, waiting } = signOffs;
  const published = events > 0 ? `; ${counted(events, 'sign-off')} published from their list` : '';
  if (refusal === 'sign-offs') return `${published}; ${refusedWords(refusal)}`;
  const waits = `${counted(waiting, 'panel')} ${waiting === 1 ? 'waits' : 'wait'} until the list of sign-offs is certain`;
  const unread = outcome === 'failed' ? '; the list of signed-off versions was not read' : '';
  return `${published}${waiting > 0 ? `; ${waits}` : ''}${unread}`;
}

function summaryOfListings(report: SweepReport, requests: number): string {
  const asked = `(${counted(requests, 'request')})`;
  const events = Object.values(report.events).reduce((sum, count) => sum + count, 0);
  const changed = counted(report.changedPanels, 'panel');
  const waiting =
    report.awaitedPanels > 0
      ? `; ${counted(report.awaitedPanels, 'panel')} with rows that are being searched or written: the next sweep compares them`
      : '';
  switch (report.outcome) {
    case 'baseline':
      return `baseline: ${counted(report.panels, 'panel')} and ${counted(report.regions, 'region')} stored to compare with ${asked}`;
    case 'quiet':
      return events > 0
        ? `${counted(events, 'event')} of an earlier sweep, nothing else changed ${asked}`
        : `nothing changed without a row ${asked}`;
    case 'explained':
      return `nothing changed without a row: the log explains what differs on ${changed}${waiting} ${asked}`;
    case 'published':
      return `${counted(events, 'event')} of changes without a row; ${changed} differed${waiting} ${asked}`;
    case 'refused':
      return `nothing is published: ${reasonOf(report)}; the stored listing stays ${asked}`;
    case 'log-unread':
      return `the log could not be read to its end; the next sweep compares ${changed} again ${asked}`;
    case 'interrupted':
      return `the listings have more pages; the next sweep continues from here ${asked}`;
    case 'out-of-time':
      return `no time was left; the next sweep continues ${asked}`;
    case 'postponed':
      return `the catalogue asked to wait until ${new Date(report.notBefore ?? 0).toISOString()}; poll again after that ${asked}`;
  }
}
