import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalNotifier } from '../../bin/local/notifier.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { runCommand } from './run-command.ts';

const HOUR = 3_600_000;

/** By what the command lists of an entity, the `to` of its event. */
function standingOf({ firstRating: first, secondRating: second }: Line): string {
  if (first === second) return 'inheritance';
  const [side, other] = first === 'green' ? ['here', second] : ['there', first];
  return other === 'red' || other === 'none' ? `${side}-two-steps` : side;
}

type Line = Readonly<Record<string, string | null>>;

test('what two catalogues disagree about since the first comparison is what their comparison shows more', async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const directory = newFolder();
  const state = join(directory, 'state');
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
  const io = { ...streams, env: {}, clock, signal: new AbortController().signal };
  const follow = async (name: string, comparedWith: Readonly<Record<string, null>> = {}) => {
    // Both have the same panels, until curators act.
    const sandbox = await startCatalogue({ clock, history: 60, seed: 4 });
    const published: PanelEvent[] = [];
    const notifier = await startLocalNotifier({
      ...{ name, url: sandbox.url, access: anonymous, state, overlap: 0n, comparedWith, log: silentLog },
      publisher: {
        async publish(messages) {
          published.push(...messages.map(({ body }) => JSON.parse(body) as PanelEvent));
          return [];
        },
      },
      io,
    });
    onTestFinished(async () => {
      await notifier.close();
      await sandbox.close();
    });
    const turn = async (): Promise<void> => {
      await notifier.poll();
      if (await notifier.isSweepDue()) await notifier.sweep();
      await notifier.prove();
    };
    await turn();
    return { sandbox, notifier, published, turn };
  };
  const australia = await follow('australia');
  const uk = await follow('uk', { australia: null });
  const shown = async (): Promise<ReadonlySet<string>> => {
    const ran = await runCommand(
      ['compare', 'uk', 'australia', '--green', '--format', 'ndjson', '--state', state],
      { clock },
    );
    const lines = ran.stdout.split('\n').filter(Boolean);
    return new Set(
      lines
        .map((line) => JSON.parse(line) as Line)
        .map((line) => `${line.firstPanelId} ${line.name} ${standingOf(line)}`),
    );
  };
  expect(await uk.notifier.compare()).toEqual([]);
  expect([...(await shown())]).toEqual([]);
  const standing = new Map<string, string | null>();
  for (let turns = 0; turns < 4; turns += 1) {
    clock.pass(HOUR);
    for (let times = 0; times < 12; times += 1) {
      clock.pass(120_000);
      (turns % 2 === 0 ? australia : uk).sandbox.act({ kind: times % 3 === 0 ? 'delete an entity' : 'rate' });
    }
    clock.pass(HOUR);
    await australia.turn();
    await uk.turn();
    const before = uk.published.length;
    expect(await uk.notifier.compare()).toEqual([]);
    for (const event of uk.published.slice(before)) {
      if (event.type !== 'gene-panel.entity.disagreement.v1') throw new Error(event.type);
      const { panel, entity, change } = event.data;
      const key = `${panel.id} ${entity.name}`;
      standing.set(key, change.to === 'agreed' ? null : `${key} ${change.to}`);
    }
    const said = [...standing.values()].filter((one) => one !== null);
    expect(said.toSorted(), `turn ${turns}`).toEqual([...(await shown())].toSorted());
  }
  expect(standing.size).toBeGreaterThan(3);
});
