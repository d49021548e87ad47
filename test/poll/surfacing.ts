import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type Instant, minutes } from '../../lambdas/run/instant.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { createHarness } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

/** What happened in a run whose rows show up hours and days late. */
interface SurfacingRun {
  /** Rows that the log shows at the end and that were never published. */
  readonly lost: readonly string[];
  /** Rows that were published in two events. */
  readonly doubled: readonly string[];
  /** Ids that were accepted with two bodies. */
  readonly contradictions: readonly string[];
  /** Messages that were accepted again after they had been accepted. */
  readonly repeats: number;
  /** Rows that showed up further back than a poll reads. */
  readonly surfaced: number;
  readonly crashes: number;
  readonly conflicts: number;
  /** How many pages each poll asked for at the end, when the log was at rest. */
  readonly requestsAtRest: readonly number[];
  /** The greatest number of pages that one poll asked for. */
  readonly mostRequests: number;
}

/** What must never happen in a run, and how many pages a poll of the log at rest asks for. */
export const problemsOf = ({ lost, doubled, contradictions, requestsAtRest }: SurfacingRun) => ({
  lost,
  doubled,
  contradictions,
  requestsAtRest: requestsAtRest.at(-1),
});

/** A run without problems: a log at rest costs one request. */
export const noProblems = { lost: [], doubled: [], contradictions: [], requestsAtRest: 1 };

class Crash extends Error {}

const HOUR = 3_600_000;

/**
 * Polls a log in which rows show up hours and days late, and panels are hidden and shown again: without a sweep, which
 * would say what the panels explain.
 */
export async function simulateSurfacing(
  seed: number,
  { crashes = 0.01, polls = 40 } = {},
): Promise<SurfacingRun> {
  let calm = false;
  let died = 0;
  let conflicts = 0;
  const harness = createHarness({
    seed,
    pageSize: 8,
    step: async (name) => {
      if (calm || random() >= crashes) return;
      died += 1;
      throw new Crash(name);
    },
  });
  const { catalogue, table, accepted } = harness;
  const { random, clock } = catalogue;
  const chance = (likely: number): boolean => random() < likely;
  const pick = (most: number): number => Math.floor(random() * most);
  let written = 0;
  let surfaced = 0;
  const write = (panel: number, at: Instant = catalogue.now): void => {
    catalogue.write(`commented on gene: BRCA1: row ${written++}`, { panel_id: panel, at });
  };
  for (let index = 0; index < 60; index++) write(10 + pick(6), noon - minutes(index + 1));
  const begins = written;
  let mostRequests = 0;
  const pollOnce = async (): Promise<void> => {
    catalogue.asked.length = 0;
    try {
      await harness.poll();
    } catch (error) {
      if (error instanceof StateError) conflicts += 1;
      else if (!(error instanceof Crash)) throw error;
    }
    mostRequests = Math.max(mostRequests, catalogue.asked.length);
  };
  /** Rows that vanish and as many that show up between two polls cannot be distinguished without a sweep. */
  let moved: 'hidden' | 'surfaced' | null = null;
  const stir = (): void => {
    if (chance(0.5)) write(10 + pick(6));
    if (moved !== 'hidden' && chance(0.1)) {
      moved = 'surfaced';
      surfaced += 1;
      const age = BigInt(20 + pick(6 * 24 * 60)) * minutes(1);
      const start = table.position?.start ?? 0n;
      const at = catalogue.now - age;
      write(12 + pick(4), at < start ? start + BigInt(pick(1000)) : at);
    }
    if (moved !== 'surfaced' && chance(0.06)) {
      moved = 'hidden';
      const panel = 10 + pick(2);
      if (!catalogue.hidden.delete(panel)) catalogue.hidden.add(panel);
    }
  };
  catalogue.between = () => {
    if (!calm && table.position && chance(0.1)) write(12 + pick(4));
  };
  while (!table.position) await pollOnce();
  for (let index = 0; index < polls; index++) {
    moved = null;
    for (let count = pick(5); count > 0; count--) {
      clock.pass(pick(300_000));
      stir();
    }
    if (chance(0.15)) clock.pass(pick(30) * HOUR);
    if (chance(0.1)) await Promise.all([pollOnce(), pollOnce()]);
    else await pollOnce();
  }
  calm = true;
  await pollOnce();
  catalogue.hidden.clear();
  for (let index = 0; index < 60; index++) {
    clock.pass(HOUR / 2);
    if (index < 8) write(12);
    await pollOnce();
  }
  const requestsAtRest: number[] = [];
  for (let index = 0; index < 4; index++) {
    clock.pass(60_000);
    catalogue.asked.length = 0;
    await pollOnce();
    requestsAtRest.push(catalogue.asked.length);
  }
  const bodies = new Map<string, Set<string>>();
  for (const { id, body } of accepted) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  const events = [...bodies.values()].flatMap(([body]) => (body ? [JSON.parse(body) as PanelEvent] : []));
  const published = events.flatMap(({ data }) => data.activities.map(({ text }) => text));
  return {
    lost: catalogue.rows.slice(begins).flatMap(({ row }) => (published.includes(row.text) ? [] : [row.text])),
    doubled: published.filter((text, index) => published.indexOf(text) !== index).map(String),
    contradictions: [...bodies].flatMap(([id, variants]) => (variants.size > 1 ? [id] : [])),
    repeats: accepted.length - bodies.size,
    surfaced,
    crashes: died,
    conflicts,
    requestsAtRest,
    mostRequests,
  };
}
