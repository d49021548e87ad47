import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { PollError } from '../../lambdas/poll/log-page.ts';
import { formatInstant, minutes } from '../../lambdas/run/instant.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { brokenChains } from '../oracle/broken-chains.ts';
import { createCurators } from './curators.ts';
import { createHarness } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

/** What happened in a simulation run. */
export interface SimulationRun {
  readonly polls: number;
  readonly crashes: number;
  /** Rows that were visible and never published. */
  readonly lost: readonly string[];
  /** Messages that were accepted again after they had been accepted. */
  readonly repeats: number;
  /** Ids that were accepted with two bodies. */
  readonly contradictions: readonly string[];
  /** Times when the mark went back, or past the catalogue's time. */
  readonly markProblems: readonly string[];
  /** Polls that published rows in the wrong order. */
  readonly disorder: readonly string[];
  /** Actions of curators that did not give one event each, or gave one from a wrong rating. */
  readonly actionProblems: readonly string[];
  /** Events that state another rating before than the event before them led to. */
  readonly contradicted: readonly string[];
  /** How many pages each poll asked for at the end, when the log was at rest. */
  readonly requestsAtRest: readonly number[];
  /** How often each fault occurred. */
  readonly faults: Readonly<Record<string, number>>;
}

interface SimulationOptions {
  readonly seed: number;
  readonly polls?: number;
  /** How likely a poll dies at one of its steps; 0 for a run without crashes. */
  readonly crashes?: number;
  /** Makes the process die at this step, counted from the begin of the run. */
  readonly crashAt?: number;
  /** Without an overlap, no row comes late and no panel is hidden. */
  readonly overlap?: boolean;
}

class Crash extends Error {}

/** Faults of the catalogue that end a poll, as the poller has to report them. */
const reported = ['LOG_UNREADABLE', 'REQUEST_BUDGET_SPENT'];

/** Polls a log that moves between and during the polls; then lets it rest, and looks for what is missing. */
export async function simulate(options: SimulationOptions): Promise<SimulationRun> {
  const { seed, polls = 12, crashes = 0.03, crashAt, overlap = true } = options;
  let steps = 0;
  let calm = false;
  let died = 0;
  const faults: Record<string, number> = {};
  const count = (fault: string): void => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };
  const harness = createHarness({
    seed,
    pageSize: 8,
    step: async (name) => {
      steps += 1;
      const dies = crashAt === undefined ? crashes > 0 && random() < crashes : steps === crashAt;
      if (calm || !dies) return;
      died += 1;
      count(`crash: ${name}`);
      throw new Crash(name);
    },
  });
  const { catalogue, table, accepted } = harness;
  const { random } = catalogue;
  const chance = (likely: number): boolean => random() < likely;
  const pick = (most: number): number => Math.floor(random() * most);
  let written = 0;
  const words = (): string => `commented on gene: BRCA1: row ${written++}`;
  const write = (given: Parameters<typeof catalogue.write>[1] = {}): void => {
    catalogue.write(words(), { panel_id: 10 + pick(5), ...given });
  };

  const curators = createCurators({
    catalogue,
    delays: overlap ? 0.3 : 0,
    panels: () => 12 + pick(3),
  });

  const stir = (): void => {
    curators.catchUp();
    if (chance(0.3)) write();
    if (chance(0.1)) {
      count('curator action');
      curators.rate();
    }
    if (overlap && chance(0.1)) {
      count('late row');
      // On a panel that is never hidden: a row that is late and then hidden comes later than the overlap reaches.
      write({ at: catalogue.now - BigInt(pick(10 * 60)) * 1_000_000n, panel_id: 12 + pick(3) });
    }
    if (overlap && chance(0.05)) {
      count('panel hidden or shown');
      const panel = 10 + pick(2);
      // No poll can find what stays hidden for longer than the overlap.
      if (!catalogue.hidden.delete(panel)) catalogue.hidden.add(panel);
    }
    // The log shows them on page 1, which must keep room for good rows.
    if (chance(0.01) && (faults['unplaceable row'] ?? 0) < 4) {
      count('unplaceable row');
      catalogue.writeUnplaced(
        words(),
        [null, 'yesterday', '9999-12-31T23:59:59Z', '2026-02-31T00:00:00Z'][pick(4)],
      );
    }
    catalogue.clock.pass(pick(400));
  };
  catalogue.between = () => {
    if (!calm && table.position) stir();
  };

  for (let index = 0; index < 30; index++) write({ at: noon - minutes(index + 1) });
  const begins = written;
  const markProblems: string[] = [];
  const disorder: string[] = [];
  let mark = 0n;
  /** The shortest overlap covers every late row; a longer one must not publish anything again. */
  let overlapMinutes = overlap ? 15 : 0;
  const pollOnce = async (): Promise<void> => {
    const before = accepted.length;
    const pending = table.pending !== null;
    try {
      await harness.poll({ overlap: minutes(overlapMinutes) });
    } catch (error) {
      if (error instanceof PollError && !calm && reported.includes(error.code)) count(error.code);
      else if (!(error instanceof Crash) && !(error instanceof StateError)) throw error;
    }
    const now = table.position?.mark ?? 0n;
    if (now < mark) markProblems.push(`back to ${formatInstant(now)}`);
    if (now > catalogue.now) markProblems.push(`past the present: ${formatInstant(now)}`);
    mark = now;
    if (pending) return;
    const events = accepted.slice(before).map(({ body }) => JSON.parse(body) as PanelEvent);
    const inTime = events.flatMap(({ time, data }) => (data.late || time === undefined ? [] : [time]));
    if (inTime.some((time, index) => time < (inTime[index - 1] ?? ''))) disorder.push(inTime.join(' '));
  };

  while (!table.position) await pollOnce();
  for (let index = 0; index < polls; index++) {
    for (let burst = chance(0.3) ? pick(40) : pick(4); burst > 0; burst--) {
      if (chance(0.3)) count('tie');
      else catalogue.clock.pass(pick(3000));
      if (chance(0.2)) curators.rate();
      else write();
    }
    if (chance(0.1)) {
      count('tie larger than a page');
      for (let rows = 9 + pick(20); rows > 0; rows--) write({ panel_id: 12 });
    }
    if (overlap && chance(0.2)) {
      count('overlap changed');
      overlapMinutes = [15, 30, 60, 1440][pick(4)] ?? 15;
    }
    if (chance(0.1)) count('lagging Date');
    catalogue.lag = faults['lagging Date'] && chance(0.5) ? 6 * 3_600_000 : 0;
    catalogue.ignoresPage = chance(0.05);
    if (catalogue.ignoresPage) count('page number ignored');
    await pollOnce();
    if (chance(0.2)) catalogue.clock.pass(pick(3) * 60_000);
  }
  calm = true;
  curators.catchUp(true);
  catalogue.hidden.clear();
  catalogue.lag = 0;
  catalogue.ignoresPage = false;
  // A tie at the end of a page is drawn anew with each request, or lies within a page once rows were added.
  for (let index = 0; index < 25; index++) {
    write();
    catalogue.clock.pass(1000);
    await pollOnce();
  }
  const requestsAtRest: number[] = [];
  for (let index = 0; index < 12; index++) {
    catalogue.clock.pass(60_000);
    catalogue.asked.length = 0;
    await pollOnce();
    requestsAtRest.push(catalogue.asked.length);
  }

  const bodies = new Map<string, Set<string>>();
  for (const { id, body } of accepted) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  const events = accepted.map(({ body }) => JSON.parse(body) as PanelEvent);
  const published = new Set(events.flatMap(({ data }) => data.activities.map(({ text }) => text)));
  return {
    polls: polls + 25 + requestsAtRest.length,
    crashes: died,
    lost: catalogue.rows
      .slice(begins)
      .filter(({ row }) => row.text.startsWith('commented'))
      .flatMap(({ row }) => (published.has(row.text) ? [] : [`${row.text} ${row.created}`])),
    actionProblems: curators.problemsIn(events),
    contradicted: brokenChains(accepted, { lateRowsBetween: true }),
    repeats: accepted.length - bodies.size,
    contradictions: [...bodies].flatMap(([id, variants]) => (variants.size > 1 ? [id] : [])),
    markProblems,
    disorder,
    requestsAtRest,
    faults,
  };
}
