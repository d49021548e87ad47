import type { Rating } from '../../lambdas/events/changes.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { createSimulatedLog } from '../poll/simulated-log.ts';
import { logged, ofGenes, silent } from './knowledge-actions.ts';
import { examined, type Findings, levels, readersOf } from './knowledge-examined.ts';
import { copyOf, type PanelSeen, panelsSeen, seenAfter } from './panels-seen.ts';
import type { SimulatedPanel } from './simulated-catalogue.ts';
import { createSimulatedReaders } from './simulated-readers.ts';
import { createSweepHarness } from './sweep-harness.ts';

/**
 * Transactions are held open over polls and sweeps, and panels change silently in between, are hidden, renamed,
 * cleared and set back, while runs are killed, and people get messages about it over a channel that often fails. At the
 * end, readers must know each panel as it is, no event may say what they knew, each must start from what they knew, and
 * each sentence of a message must have been true, or of the last state that could be known.
 */

/** What went wrong in a run, and what happened in it. */
interface KnowledgeRun extends Findings {
  /** Sentences of messages that were not true. */
  readonly untrue: readonly string[];
  readonly sentences: number;
  /** Messages that were sent later than they were due. */
  readonly late: number;
  readonly crashes: number;
  /** Transactions that were open while a poll or a sweep read. */
  readonly heldOpen: number;
  /** Events found by comparing. */
  readonly silent: number;
}

class Crash extends Error {}

/** Runs a catalogue, a poller and a sweep, and examines what was published. */
export async function simulateKnowledge(
  seed: number,
  crashRate = 0.01,
  { movesMark = false }: { readonly movesMark?: boolean } = {},
): Promise<KnowledgeRun> {
  let calm = true;
  let crashes = 0;
  const harness = createSweepHarness({
    seed,
    searchPages: 60,
    step: async (name) => {
      if (calm || random() >= crashRate) return;
      crashes += 1;
      throw new Crash(name);
    },
  });
  const { catalogue } = harness;
  const { log } = catalogue;
  const { random, clock } = log;
  // Of its own, so that a seed has the same changes with and without moves.
  const moves = seededRandom(seed * 19 + 11);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  for (let id = 1; id <= 6; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  for (const panel of catalogue.panels.values()) catalogue.write(panel, 'promoted panel to version 1.0');
  await harness.poll();
  await harness.sweep();
  // What was written before is not published.
  const begun = harness.table.position?.mark ?? 0n;
  const known = readersOf(catalogue);
  const genes = new Map([...catalogue.panels.keys()].map((id) => [id, new Map<string, Rating>()]));
  const truth = new Map(
    [...catalogue.panels.values()].map((panel): [number, PanelSeen] => [panel.id, seenIn(panel, new Map())]),
  );
  const baseline = new Map([...truth].map(([id, panel]) => [id, copyOf(panel)]));
  /** The panels as they are now; the versions that a panel had stay among those that it may have been promoted to. */
  const present = (): ReadonlyMap<number, PanelSeen> => {
    for (const panel of catalogue.panels.values()) {
      const { versions = [] } = truth.get(panel.id) ?? {};
      const seen = seenIn(panel, genes.get(panel.id) ?? new Map());
      truth.set(panel.id, { ...seen, versions: new Set([...versions, ...seen.versions]) });
    }
    return new Map([...truth].map(([id, panel]) => [id, copyOf(panel)]));
  };
  const readers = createSimulatedReaders({
    sweeper: harness,
    clock,
    random: createSimulatedLog({ seed: seed + 1_000_000 }).random,
    truth: () => panelsSeen(present()),
    // By the time of their rows, and in the order in which they were published: a row may be late.
    known: (events) =>
      [events, events.toSorted((one, other) => ((one.time ?? '') < (other.time ?? '') ? -1 : 1))].map((all) =>
        panelsSeen(seenAfter(baseline, all)),
      ),
  });
  calm = false;

  /** Panels with an open transaction: its end locks out every other change of the panel. */
  const open = new Map<number, { readonly end: number; readonly commit: () => void }>();
  let heldOpen = 0;
  const commitDue = (until = clock.now()): void => {
    for (const [id, { end, commit }] of open) {
      if (end > until) continue;
      open.delete(id);
      commit();
    }
  };
  const pass = (milliseconds: number): void => {
    clock.pass(milliseconds);
    commitDue();
  };
  const change = (): void => {
    const panel = pick([...catalogue.panels.values()].filter(({ id }) => !open.has(id)));
    if (!panel) return;
    const at = log.now;
    const chance = random();
    const act = pick(Object.values(chance < 0.35 ? ofGenes : chance < 0.75 ? logged : silent));
    const own = genes.get(panel.id) ?? new Map();
    const commit = (): void => {
      act?.({ catalogue, panel, at, random, genes: own });
      present();
    };
    if (random() < 0.5) commit();
    else open.set(panel.id, { end: clock.now() + Math.floor(random() * 120_000), commit });
  };
  const toggle = (): void => {
    const panel = pick([...catalogue.panels.values()].filter(({ id }) => !open.has(id)));
    if (!panel) return;
    if (log.hidden.has(panel.id)) {
      catalogue.show(panel.id, true);
      if (random() < 0.5) catalogue.write(panel, 'Panel status changed from internal to public');
    } else if (log.hidden.size < 2) catalogue.show(panel.id, false);
  };
  catalogue.betweenPages = () => {
    if (!calm && random() < 0.15) change();
    pass(300);
  };
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    if (open.size > 0) heldOpen += 1;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  };

  for (let step = 0; step < 25; step += 1) {
    for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) {
      change();
      pass(Math.floor(random() * 20_000));
    }
    if (random() < 0.1) toggle();
    if (movesMark && moves() < 0.2) await harness.moveMarkBack(minutes(Math.floor(moves() * 120)), begun);
    if (random() < 0.7) await attempt(() => harness.poll());
    pass(Math.floor(random() * 60_000));
    if (random() < 0.4) await attempt(() => harness.sweep());
    await readers.run();
    if (random() < 0.3) pass(Math.floor(random() * 3_600_000));
    await readers.run();
  }
  calm = true;
  catalogue.betweenPages = () => {};
  for (const id of [...log.hidden]) catalogue.show(id, true);
  for (let last = 0; last < 8; last += 1) {
    pass(1_800_000);
    await harness.poll();
    await harness.sweep();
    await readers.run();
  }
  return {
    ...examined(harness.accepted, { catalogue, known, killed: crashRate > 0 }),
    crashes,
    heldOpen,
    silent: harness.listed().length,
    untrue: readers.untrue,
    ...readers.counts,
  };
}

/** A panel as the catalogue holds it. */
const seenIn = ({ listed, held }: SimulatedPanel, genes: ReadonlyMap<string, Rating>): PanelSeen => ({
  name: listed.name,
  versions: new Set([listed.version]),
  entities: new Map([
    ...held.map(({ entity_name: name, confidence_level: level }) => [name, levels[level] ?? null] as const),
    ...genes,
  ]),
});
