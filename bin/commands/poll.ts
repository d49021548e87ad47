import { defaultSameChangePercent, defaultShrunkenPercent } from '../../lambdas/functions/settings.ts';
import { versionNamed } from '../../lambdas/panels/version-state.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { counted } from '../../lambdas/run/text.ts';
import { number, oneOf } from '../arguments.ts';
import type { Io } from '../command.ts';
import { declareCommand, flag, type OptionValues, value, values } from '../declare-command.ts';
import { readFilter } from '../history-options.ts';
import type { LocalNotifier } from '../local/notifier.ts';
import { eventOutput, openOutput } from '../output.ts';
import {
  createPrintPublisher,
  filterNote,
  openCatalogue,
  pollOptions,
  runOnce,
  sayUnknownNames,
} from '../polling.ts';
import { reportedOutcomes, summaryOfSweep } from '../sweep-summary.ts';

const parts = ['log', 'listings', 'states'] as const;
type Part = (typeof parts)[number];

/** How long states are read where nobody asked for them alone: as long as watch waits for its next poll. */
const STATES_MS = 60_000;

/** After fewer rows, the words of a search and the changes of the worklist are kept at once. */
const KEPT_AT_ONCE = 5_000;

const percent = number({ min: 0, max: 100 });

const options = {
  ...pollOptions,
  only: values(
    'PART',
    'log, listings or states; may be repeated. Where the lists differ, the log is read too',
    oneOf(parts),
  ),
  'shrunken-listing': value(
    'PERCENT',
    'publish nothing from the lists if more than this percentage of the panels or regions is missing',
    percent,
    String(defaultShrunkenPercent),
  ),
  'same-change': value(
    'PERCENT',
    'if more than this percentage of the panels shows the same kind of change, wait until a listing an hour later shows it too',
    percent,
    String(defaultSameChangePercent),
  ),
  accept: flag(
    'accept what the lists show, also that of signed-off versions: nothing waits, and panels with other ids are stored without events; with --only listings',
  ),
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const only = new Set(values.only);
  const { 'shrunken-listing': shrunkenPercent, 'same-change': sameChangePercent } = values;
  const catalogue = await openCatalogue(values, io);
  const filter = await readFilter(values, io);
  const output = eventOutput(values.format ?? 'ndjson', openOutput(values.output, io), io);
  const publisher = createPrintPublisher(output, filter);
  return runOnce(catalogue, { shrunkenPercent, sameChangePercent, publisher }, async (notifier) => {
    publisher.follow(notifier.file);
    let isNew = true;
    let rows = 0;
    /** A catalogue that asks to wait is asked for nothing else, unless a person names it. */
    let isPostponed = false;
    const does = (part: Part): boolean => only.has(part) || (only.size === 0 && !isPostponed);
    if (does('log')) {
      const report = await notifier.poll();
      await publisher.printMissed();
      isNew = report.outcome !== 'quiet';
      rows = report.activities;
      isPostponed = report.notBefore !== null;
      io.stderr.write(`${summaryOfPoll(report, notifier.requests, publisher.printed)}\n`);
    }
    const isTrusted =
      !does('listings') || (await readListings(notifier, { io, isAsked: only.has('listings'), ...values }));
    await publisher.printMissed();
    const isRead = !does('states') || (await readStates(notifier, { io, isAsked: only.has('states') }));
    await publisher.printMissed();
    // A backlog leaves them to the polls after it.
    if (isNew && rows < KEPT_AT_ONCE) {
      await notifier.indexWords();
      await notifier.keepWorklist();
    }
    if (isNew) {
      await sayUnknownNames({ file: notifier.file, filter, printed: publisher.printed }, io);
    }
    return isTrusted && isRead ? 0 : 1;
  });
}

interface Reading {
  readonly io: Io;
  /** Whether the person asked for this part alone. */
  readonly isAsked: boolean;
}

async function readListings(
  notifier: LocalNotifier,
  { io, isAsked, accept }: Reading & { readonly accept: boolean },
): Promise<boolean> {
  const isWanted = isAsked || accept;
  if (!isWanted && !(await notifier.isSweepDue())) return true;
  const before = notifier.requests;
  const report = await notifier.sweep(accept);
  if (isWanted || report.refusal !== null || reportedOutcomes.has(report.outcome)) {
    io.stderr.write(`${summaryOfSweep(report, notifier.requests - before)}\n`);
  }
  return report.refusal === null;
}

/** Reads and proves states: for a minute, or to the end where that is asked for. Returns whether what was asked for is done. */
async function readStates(notifier: LocalNotifier, { io, isAsked }: Reading): Promise<boolean> {
  if (!isAsked) {
    const report = await notifier.proveIfFree({ deadline: io.clock.now() + STATES_MS });
    if (report && report.requests > 0) io.stderr.write(`${summaryOfProof(report)}\n`);
    return true;
  }
  const swept = await notifier.sweep();
  if (swept.refusal !== null) io.stderr.write(`${summaryOfSweep(swept, notifier.requests)}\n`);
  const show = progressOn(io);
  const report = await notifier.prove({
    asksAgain: true,
    onProgress: ({ panelsLeft }) => show('panel', panelsLeft),
    onSignedOffProgress: ({ versionsLeft }) => show('signed-off version', versionsLeft),
  });
  io.stderr.write(`${summaryOfProof(report)}\n`);
  return report.outcome === 'done' && report.panelsLeft === 0 && swept.refusal === null;
}

const EVERY = 10;

function progressOn({ clock, stderr }: Pick<Io, 'clock' | 'stderr'>): (what: string, left: number) => void {
  // A panel may take several requests, and the first request is sent at once: the pace is that from the first panel on.
  const firsts = new Map<string, { readonly left: number; readonly at: number }>();
  const shown = new Set<string>();
  return (what, left) => {
    const first = firsts.get(what);
    if (!first) {
      firsts.set(what, { left, at: clock.now() });
      return;
    }
    const done = first.left - left;
    const minutes = Math.ceil((left * (clock.now() - first.at)) / done / 60_000);
    if (done <= 0 || left === 0 || minutes === 0 || (shown.has(what) && left % EVERY !== 0)) return;
    shown.add(what);
    stderr.write(`${counted(left, what)} left, about ${minutes} min\n`);
  };
}

function summaryOfPoll(report: PollReport, requests: number, printed: number): string {
  const { outcome, notBefore, activities, late, quarantined } = report;
  const asked = counted(requests, 'request');
  if (outcome === 'begun') return `bookmarked the newest row; the next poll prints what is new (${asked})`;
  if (notBefore !== null) {
    return `the catalogue asked to wait until ${new Date(notBefore).toISOString()}; poll again after that`;
  }
  if (outcome === 'quiet') return `nothing new (${asked})`;
  const events = Object.values(report.events).reduce((sum, count) => sum + count, 0);
  const unclassified = report.events['gene-panel.activity.unclassified.v1'] ?? 0;
  const facts = [
    `${counted(events, 'event')} from ${counted(activities, 'row')}`,
    printed < events && `${printed} of them match the filter and were printed`,
    late > 0 && `${late} late`,
    unclassified > 0 && `${unclassified} unclassified`,
    quarantined > 0 && `${quarantined} from rows that could not be read`,
    asked,
  ];
  return facts.filter(Boolean).join(', ');
}

export const command = declareCommand({
  name: 'poll',
  synopsis: ['--catalogue URL [--only log|listings|states]... [options]'],
  about: [
    'Does once what watch does again and again, and prints the events, one JSON object a line:',
    '"log" reads the activity log, back to where the last poll ended. "listings", where an hour has passed since, compares the lists of panels and regions with those of the last time, and prints the changes that have no row in the log (docs/sweep.md); the first time it only stores them. "states", for up to a minute, reads what panels hold, so that every event knows the rating before it, and proves the versions that began since by the archive of the catalogue (docs/panel-states.md).',
    "It keeps its place and the history of events in a folder. The first poll bookmarks the newest row and prints nothing; use --from to start earlier. With --only it does that part alone, whether it is due or not, and to its end: the states of a catalogue's panels, read for the first time, take hours at the usual pace. Ctrl-C stops it, and the same command goes on from there. watch does all of this by itself, and sends the messages of what poll publishes beside it.",
    'The first Ctrl-C ends the poll after the events that it is printing. A second Ctrl-C ends it at once; the next poll may then print some events again.',
  ],
  options,
  notes: [filterNote],
  exitCodes:
    '0 done (also when there was nothing new), 1 failed, the lists were not trusted, or --only states did not read each panel (nothing is lost: poll again), 2 wrong arguments, 130 stopped by Ctrl-C or a signal (nothing is lost)',
  examples: [
    '$0 poll --catalogue https://panelapp-aus.org --from 2026-11-01 --output events.ndjson',
    '$0 poll --catalogue https://panelapp-aus.org --to green --genes-file my-genes.txt --format table',
    '$0 poll --catalogue https://panelapp-aus.org --only states',
  ],
  run,
});

function summaryOfProof(report: ProofReport): string {
  const { outcome, why, until, requests, proven, explained, panelsLeft, unproven, oldestUnproven } = report;
  const oldest = oldestUnproven
    ? ` (the oldest is ${versionNamed(oldestUnproven)}: ${oldestUnproven.why})`
    : '';
  const facts = [
    proven + explained > 0 && `${counted(proven + explained, 'version')} proven`,
    explained > 0 && `${explained} of them with changes that the log does not state, published as events`,
    unproven > 0 && `${counted(unproven, 'version')} not proven yet${oldest}`,
    outcome !== 'done' && `${counted(panelsLeft, 'panel')} left`,
    outcome === 'done' && panelsLeft > 0 && `${counted(panelsLeft, 'panel')} could not be read`,
    outcome === 'log-unread' && 'the log could not be read to its end',
    outcome === 'paused' && pauses[why ?? ''],
    until !== null && `not before ${new Date(until).toISOString()}`,
    counted(requests, 'request'),
  ];
  const stated = facts.filter((fact) => fact !== false && fact !== undefined);
  return stated.length === 1 ? `nothing to read (${stated[0]})` : stated.join(', ');
}

const pauses: Readonly<Record<string, string>> = {
  budget: 'the requests of this day or week are used up',
  'not-before': 'the catalogue asked to wait',
  'out-of-time': 'the time of this run is over',
  refused: 'the catalogue answers with something other than states of panels',
  off: 'the catalogue serves no states of panels',
};
