import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type Instant, parseInstant } from '../../lambdas/run/instant.ts';
import { openProvingHarness } from '../panels/proving-harness.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type SavedArchive, truthOf } from './archived-truth.ts';
import { startGrowing } from './growing-catalogue.ts';
import {
  type DeniedValue,
  holdAgainstArchive,
  holdAgainstEachOther,
  holdByArrival,
  linesOf,
} from './hold-events.ts';
import { holdPanels } from './hold-panels.ts';

/** How a catalogue is read from the beginning of its log to the end. */
interface WayOfReading {
  /** About how many rows show up between two polls. */
  readonly rows?: number;
  /** The milliseconds beyond those of the archive that pass between two polls. */
  readonly gapMs?: number;
  /** After how many polls everything is proven for the first time, as a baseline; at the end by default. */
  readonly baselineAfter?: number;
  /** Whether panels are proven after each poll. */
  readonly provesBetween?: boolean;
  readonly details?: 'served' | 'none';
}

const MINUTE_MS = 60_000;

/** The ways in which every catalogue is read. @param rows about how many show up between two polls */
export const waysOfReading = (rows: number) => {
  const gapMs = 20 * MINUTE_MS;
  return {
    'one poll': {},
    'a poll after each few rows': { rows, gapMs, provesBetween: true },
    'a poll after each few rows, without pauses': { rows, provesBetween: true },
    'a baseline first': { rows, gapMs, baselineAfter: 5 },
    'one poll without the archive': { details: 'none' },
    'a poll after each few rows without the archive': { rows, gapMs, details: 'none' },
  } as const satisfies Readonly<Record<string, WayOfReading>>;
};

/** What the events of a whole log say, held against the archive, and against each other. */
export interface Holdings {
  /** Without those that others correct. */
  readonly events: readonly PanelEvent[];
  /** The sentences of the corrections. */
  readonly corrected: readonly string[];
  /**
   * How many states were asked for a version that was kept: while the log was followed, and for two days after it, when everything is
   * read again that waits for a time; null without the archive.
   */
  readonly requestsPerVersion: number | null;
  /** How many states were asked for on a quiet day after that. */
  readonly requestsOfQuietDay: number;
  /** The values that something denies. Without the archive, only those that the rows deny. */
  readonly denied: readonly DeniedValue[];
  /** Differences of two neighbouring versions that no event states; empty without the archive. */
  readonly missing: readonly string[];
  /** Versions that could not be proven, one line each. */
  readonly unproven: readonly string[];
  /** How many values were held against what, and how many were denied, a line for each field. */
  readonly counts: readonly string[];
  /** How many values were held, by what they were held against and the field. */
  readonly held: ReadonlyMap<string, number>;
}

/** Reads a saved catalogue in one way, and holds everything that is published against what the archive shows. */
export async function readAndHold(saved: SavedArchive, way: WayOfReading): Promise<Holdings> {
  const { details = 'served', baselineAfter, provesBetween = false } = way;
  const oldest = saved.activities.at(-1)?.created ?? '';
  const from: Instant = parseInstant(oldest) ?? 0n;
  const clock = createTestClock({ now: Number(from / 1000n) - MINUTE_MS });
  const growing = await startGrowing({ saved, clock, ...way, details });
  const readsSignOffs = details === 'served';
  const harness = openProvingHarness({ url: growing.catalogue.url, clock, from, readsSignOffs });
  const truth = truthOf(saved);
  const isSuper = (id: number): number => (truth.get(id)?.some((one) => one.isSuper) ? 1 : 0);
  const ids = [...truth.keys()].sort((one, other) => isSuper(one) - isSuper(other));
  const prove = async (): Promise<void> => {
    await harness.sweep();
    await harness.readSignOffs();
    await harness.prove();
  };
  /** Polls and proves after each so many hours; returns how many states were asked for. */
  const rest = async (hours: readonly number[]): Promise<number> => {
    const { requests } = harness.archive;
    for (const each of details === 'served' ? hours : []) {
      clock.pass(each * 60 * MINUTE_MS);
      await harness.poll();
      await prove();
    }
    return harness.archive.requests - requests;
  };
  try {
    for (let step = 1; step <= growing.steps; step += 1) {
      growing.grow();
      await harness.poll();
      if (details === 'served' && (provesBetween || step === baselineAfter)) await prove();
    }
    await rest([1, 2, 25, 2, 25]);
    let versions = 0;
    for (const { panelId } of await harness.states.panels())
      versions += (await harness.states.versions(panelId)).length;
    const requestsPerVersion = versions > 0 ? harness.archive.requests / versions : null;
    const requestsOfQuietDay = await rest([6, 6, 6, 6]);
    let unproven: readonly string[] = [];
    if (details === 'served') {
      await harness.prove({ fromStart: ids });
      for (let time = 0; time < 3; time += 1) {
        clock.pass(61 * MINUTE_MS);
        await harness.prove();
      }
      unproven = (await harness.unproven()).map(
        ({ panelId, version, why }) => `${panelId} ${version}: ${why}`,
      );
    }
    const published = [...new Map(harness.accepted.map(({ id, body }) => [id, body])).values()].map(
      (body): PanelEvent => JSON.parse(body),
    );
    const corrected = new Set(published.map(({ data }) => data.corrects));
    const events = published.filter(({ id }) => !corrected.has(id));
    const served = growing.saved();
    const holding = { events, truth: truthOf(served), isProven: details === 'served' };
    const panels = holdPanels({ ...holding, published, saved: served });
    const others = [holdAgainstEachOther(holding), holdByArrival(holding), panels];
    const archive = holdAgainstArchive(holding);
    const all = details === 'none' ? others : [archive, ...others];
    return {
      events,
      requestsPerVersion,
      requestsOfQuietDay,
      corrected: published.filter(({ data }) => data.corrects !== undefined).map(({ data }) => data.summary),
      denied: all.flatMap(({ denied }) => denied),
      missing: archive.missing,
      unproven,
      counts: all.flatMap(linesOf),
      held: new Map(
        all.flatMap(({ counts }) => [...counts].map(([field, { held }]) => [field, held] as const)),
      ),
    };
  } finally {
    await harness.close();
    await growing.catalogue.close();
  }
}
