import { formatInstant, minutes } from '../../lambdas/clock/instant.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { StateError } from '../../lambdas/state/store.ts';
import { createCurators } from './clicks.ts';
import { createBench } from './run.ts';
import { noon } from './world.ts';

/** What happened in a simulated life of a poller. */
export interface Life {
  readonly polls: number;
  readonly crashes: number;
  /** Rows that were visible and were never told; those of clicks have faults of their own. */
  readonly lost: readonly string[];
  /** Messages accepted again after they had been accepted. */
  readonly repeats: number;
  /** Ids that were accepted with two bodies. */
  readonly contradictions: readonly string[];
  /** Places where the mark went back, or past the catalogue's time. */
  readonly markFaults: readonly string[];
  /** Rows told in the wrong order within a poll. */
  readonly disorder: readonly string[];
  /** Clicks of curators that were not told by one event each, or told from a rating that was not there. */
  readonly clickFaults: readonly string[];
  /** How often each kind of trouble happened. */
  readonly troubles: Readonly<Record<string, number>>;
}

export interface LifeOptions {
  readonly seed: number;
  readonly polls?: number;
  /** How likely a poll dies at one of its steps; 0 for a life without crashes. */
  readonly crashes?: number;
  /** Makes the process die at this step, counted from the begin of the life. */
  readonly crashAt?: number;
  /** Without overlap no row may come late, and no panel be hidden: all else must still be found. */
  readonly overlap?: boolean;
}

class Crash extends Error {}

/** Lives through polls of a log that moves between and during them, then lets it rest and looks what is missing. */
export async function live(options: LifeOptions): Promise<Life> {
  const { seed, polls = 12, crashes = 0.03, crashAt, overlap = true } = options;
  let steps = 0;
  let calm = false;
  let died = 0;
  const troubles: Record<string, number> = {};
  const count = (trouble: string): void => {
    troubles[trouble] = (troubles[trouble] ?? 0) + 1;
  };
  const bench = createBench({
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
  const { world, table, accepted } = bench;
  const { random } = world;
  const chance = (likely: number): boolean => random() < likely;
  const pick = (most: number): number => Math.floor(random() * most);
  let written = 0;
  const write = (given: Parameters<typeof world.write>[1] = {}): void => {
    world.write(`commented on gene: BRCA1: row ${written++}`, { panel_id: 10 + pick(5), ...given });
  };

  const curators = createCurators({
    world,
    delays: overlap ? 0.3 : 0,
    panels: () => 12 + pick(3),
  });

  const stir = (): void => {
    curators.catchUp();
    if (chance(0.3)) write();
    if (chance(0.1)) {
      count('click');
      curators.rate();
    }
    if (overlap && chance(0.1)) {
      count('late row');
      // On a panel that is never hidden: what is late and then hidden comes later than the overlap reaches.
      write({ at: world.now - BigInt(pick(10 * 60)) * 1_000_000n, panel_id: 12 + pick(3) });
    }
    if (overlap && chance(0.05)) {
      count('hidden or revealed');
      const panel = 10 + pick(2);
      // A panel that stays hidden for longer than the overlap is not a matter of polls.
      if (!world.hidden.delete(panel)) world.hidden.add(panel);
    }
    world.clock.pass(pick(400));
  };
  world.between = () => {
    if (!calm && table.position) stir();
  };

  for (let index = 0; index < 30; index++) write({ at: noon - minutes(index + 1) });
  const begins = written;
  const markFaults: string[] = [];
  const disorder: string[] = [];
  let mark = 0n;
  const pollOnce = async (): Promise<void> => {
    const before = accepted.length;
    const pending = table.pending !== null;
    try {
      await bench.poll({ overlap: overlap ? minutes(15) : 0n });
    } catch (error) {
      if (!(error instanceof Crash) && !(error instanceof StateError)) throw error;
    }
    const now = table.position?.mark ?? 0n;
    if (now < mark) markFaults.push(`back to ${formatInstant(now)}`);
    if (now > world.now) markFaults.push(`past the present: ${formatInstant(now)}`);
    mark = now;
    if (pending) return;
    const events = accepted.slice(before).map(({ body }) => JSON.parse(body) as PanelEvent);
    const punctual = events.filter(({ data }) => !data.late).map(({ time = '' }) => time);
    if (punctual.some((time, index) => time < (punctual[index - 1] ?? ''))) disorder.push(punctual.join(' '));
  };

  while (!table.position) await pollOnce();
  for (let index = 0; index < polls; index++) {
    for (let burst = chance(0.3) ? pick(40) : pick(4); burst > 0; burst--) {
      if (chance(0.3)) count('tie');
      else world.clock.pass(pick(3000));
      if (chance(0.2)) curators.rate();
      else write();
    }
    await pollOnce();
    if (chance(0.2)) world.clock.pass(pick(3) * 60_000);
  }
  calm = true;
  curators.catchUp(true);
  world.hidden.clear();
  world.between = () => {};
  // Ties at page boundaries come in a new order with each request, or lie within a page once rows were added.
  for (let index = 0; index < 25; index++) {
    write();
    world.clock.pass(1000);
    await pollOnce();
  }

  const bodies = new Map<string, Set<string>>();
  for (const { id, body } of accepted) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  const told = new Set(
    accepted.flatMap(({ body }) => (JSON.parse(body) as PanelEvent).data.activities.map(({ text }) => text)),
  );
  return {
    polls: polls + 25,
    crashes: died,
    lost: world.rows
      .slice(begins)
      .filter(({ row }) => row.text.startsWith('commented'))
      .flatMap(({ row }) => (told.has(row.text) ? [] : [`${row.text} ${row.created}`])),
    clickFaults: curators.faultsOf(accepted.map(({ body }) => JSON.parse(body) as PanelEvent)),
    repeats: accepted.length - bodies.size,
    contradictions: [...bodies].flatMap(([id, variants]) => (variants.size > 1 ? [id] : [])),
    markFaults,
    disorder,
    troubles,
  };
}
