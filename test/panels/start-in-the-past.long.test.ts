import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { ProofOptions } from '../../lambdas/reconcile/proof-options.ts';
import { type Instant, instantOf, parseInstant } from '../../lambdas/run/instant.ts';
import { BEGINNING_MS, openProving, type Proving } from './open-proving.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Opened extends Proving {
  readonly from: Instant;
}

/** A catalogue with a history of some days, and a notifier that begins in the middle of it. */
async function open({ step }: { readonly step?: (name: string) => void } = {}): Promise<Opened> {
  const from = instantOf(BEGINNING_MS - 5 * DAY);
  const proving = await openProving({ history: 600, ties: 'fixed' }, { from, ...(step && { step }) });
  return { ...proving, from };
}

interface Held {
  readonly version: string;
  readonly version_created: string;
}

/** What a panel held at each version: as the catalogue's archive has it, and as it is now. */
function versionsOf({ details }: Proving['catalogue'], id: number): readonly Held[] {
  const present = details?.present(id) as Held | undefined;
  const [lastMajor = -1] = present?.version.split('.').map(Number) ?? [];
  const versions: Held[] = [];
  for (let major = 0; major <= lastMajor; major += 1) {
    for (let minor = 0; ; minor += 1) {
      const version = details?.version(id, `${major}.${minor}`) as Held | undefined;
      if (!version) break;
      versions.push(version);
    }
  }
  return present && versions.at(-1)?.version !== present.version ? [...versions, present] : versions;
}

const beginningOf = ({ version_created: at }: Held): Instant => parseInstant(at) ?? 0n;

/**
 * Each kept version since the start, and the one before, with its proof. A change without a row may be published by the poll
 * that needs it, and then the version is proven, or by the proof, which then explains it.
 */
async function keptSince({ harness, from }: Opened): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const { panelId } of await harness.states.panels()) {
    const versions = await harness.states.versions(panelId);
    const first = versions.findLastIndex(({ validFrom }) => validFrom <= from);
    for (const { version, sha256, proof } of versions.slice(Math.max(first, 0)))
      kept.push(`${panelId} ${version} ${sha256} ${proof.kind === 'explained' ? 'proven' : proof.kind}`);
  }
  return kept;
}

/** Lets hours pass, and reads everything, until nothing is left to read or to prove. */
async function readAll({ clock, harness }: Opened, given?: Partial<ProofOptions>): Promise<void> {
  for (let runs = 0; runs < 400; runs += 1) {
    clock.pass(2 * HOUR);
    await harness.sweep();
    const { outcome, unproven } = await harness.prove(given);
    if (outcome === 'done' && unproven === 0) return;
  }
  throw new Error(`not done: ${JSON.stringify(await harness.unproven())}`);
}

test('every version since a start in the past is proven, from the one that each panel had then', async () => {
  const all = await open();
  const { harness, catalogue, from } = all;
  await harness.poll();
  const rated = (await harness.events()).flatMap(({ data: { change } }) =>
    'direction' in change && change.direction !== 'new' ? [change.from] : [],
  );
  expect(rated.length).toBeGreaterThan(5);
  expect(rated).not.toContain(null);
  await readAll(all);
  const panels = await harness.states.panels();
  let changed = 0;
  for (const { panelId } of panels) {
    const versions = versionsOf(catalogue, panelId);
    const first = versions.findLast((one) => beginningOf(one) <= from);
    const since = versions.filter((one) => beginningOf(one) > from);
    const kept = await harness.states.versions(panelId);
    const keptSinceThen = kept.filter(({ validFrom }) => validFrom > from);
    expect(keptSinceThen.map(({ version }) => version)).toEqual(since.map(({ version }) => version));
    const proofs = new Set(keptSinceThen.map(({ proof }) => proof.kind));
    expect([...proofs].filter((kind) => kind !== 'proven' && kind !== 'explained')).toEqual([]);
    expect((await harness.states.at(panelId, from))?.version).toBe(first?.version);
    changed += since.length;
  }
  expect(changed).toBeGreaterThan(40);
  const snapshots = (await harness.events()).filter(
    ({ data: { change } }) => 'via' in change && change.via === 'snapshot',
  );
  expect(snapshots.length).toBeGreaterThan(3);
  // Its archive may be made in the middle of an upload to one of its panels.
  const superPanels = panels.flatMap(({ panelId, childPanels }) => (childPanels.length > 0 ? [panelId] : []));
  expect(superPanels).toHaveLength(1);
  expect(snapshots.filter(({ data }) => superPanels.includes(data.panel?.id ?? 0))).toEqual([]);
  expect(snapshots.filter(({ time }) => (parseInstant(time) ?? 0n) <= from)).toEqual([]);
});

test('a start in the past is read within the budget of requests, and goes on where a run died', async () => {
  const whole = await open();
  const once = countRequests(whole);
  await whole.harness.poll();
  await readAll(whole);
  let [steps, dies] = [0, 0];
  const died = await open({
    step: () => {
      steps += 1;
      // Later steps each time, so that every run comes further.
      if (steps % (7 + dies) === 0 && dies < 20) {
        dies += 1;
        throw new Error('dead');
      }
    },
  });
  const { clock, harness } = died;
  const asked = countRequests(died);
  await untilItLives(() => harness.poll());
  const archive = harness.archiveAt({ secondsBetween: 10, requestsPerDay: 15, requestsPerWeek: 100 });
  for (let days = 0; days < 40; days += 1) {
    clock.pass(DAY);
    const before = asked();
    await untilItLives(() => harness.prove({ archive }));
    expect(asked() - before).toBeLessThanOrEqual(15);
  }
  expect(dies).toBe(20);
  // A run that dies asks again for what it had not kept; a day ends within a panel.
  expect(asked()).toBeLessThanOrEqual(once() + 2 * dies);
  const ids = (events: readonly PanelEvent[]): readonly string[] =>
    events
      .map(({ time, type, subject, data }) => `${time} ${type} ${subject} ${JSON.stringify(data.change)}`)
      .sort();
  expect(await keptSince(died)).toEqual(await keptSince(whole));
  expect(ids(await harness.events())).toEqual(ids(await whole.harness.events()));
});

/** Returns how many states of panels were asked for since. */
function countRequests({ catalogue }: Opened): () => number {
  let requests = 0;
  catalogue.onRequest(({ path }) => {
    if (/\/panels\/\d+\//.test(path)) requests += 1;
  });
  return () => requests;
}

async function untilItLives(run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'dead') throw error;
    }
  }
}
