import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { runCommand } from '../bin/run-command.ts';
import { newFolder } from '../new-folder.ts';

/** `DAYS=7 npm run test:long -- test/panels/silent-change-time`. */
const DAYS = Number(process.env.DAYS ?? 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EVERY = MINUTE / 2;
/** The panels, the regions and the sign-offs, hourly: the sandbox lists each on one page. */
const PAGES_A_SWEEP = 3;

interface Change {
  readonly at: number;
  readonly panelId: number;
  /** When its event was printed; undefined where it was not. */
  readonly printedAt?: number;
}

/** What `watch` alone, with its usual settings, found in some days of changes that have no row. */
async function watchSilentChanges() {
  const random = seededRandom(36);
  const begun = Date.UTC(2026, 10, 20, 9);
  let now = begun;
  let nextAt = now + 3 * 60 * MINUTE;
  const changes: Change[] = [];
  let versions = 0;
  const act = (): void => {
    while (now >= nextAt && nextAt < begun + DAYS * DAY) {
      nextAt += random() * 60 * MINUTE;
      const isSilent = random() < 0.5;
      versions += 1;
      const { panel } = catalogue.act({ kind: isSilent ? 'rate a gene as administrator' : 'rate' });
      if (isSilent) changes.push({ at: now, panelId: panel.id });
    }
  };
  const clock: Clock = {
    now: () => now,
    random: () => random(),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      now += milliseconds;
      act();
    },
  };
  const catalogue = await startCatalogue({ clock, history: 120, seed: 5, ties: 'fixed' });
  const directory = newFolder();
  onTestFinished(() => catalogue.close());
  const kinds = { baseline: 0, states: 0, others: 0 };
  catalogue.onRequest(({ path }) => {
    if (/\/panels\/\d+\//.test(path)) kinds[versions === 0 ? 'baseline' : 'states'] += 1;
    else kinds.others += 1;
  });
  const printed: { readonly event: PanelEvent; readonly at: number }[] = [];
  let text = '';
  const cpu = process.cpuUsage();
  // A pace as for a catalogue of others.
  const args = [
    'watch',
    '--catalogue',
    catalogue.url,
    '--state',
    join(directory, 'state'),
    '--no-page',
    '--pace',
    '10',
    // States are read in turns that are too short for some panels.
    '--every',
    String(EVERY / 1000),
  ];
  const polls = ((DAYS + 0.5) * DAY) / EVERY;
  const { code } = await runCommand([...args, '--format', 'ndjson', '--polls', String(polls)], {
    clock,
    onOutput: (part) => {
      text += part;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) printed.push({ event: JSON.parse(line) as PanelEvent, at: now });
    },
  });
  const { user, system } = process.cpuUsage(cpu);
  const found = printed.filter(
    ({ event: { data } }) => 'via' in data.change && data.change.via === 'snapshot',
  );
  const timed = changes.map((change) => {
    const own = found.find(
      ({ event }) =>
        event.data.panel?.id === change.panelId &&
        Math.abs(Date.parse(event.time ?? '') - change.at) < MINUTE,
    );
    return own ? { ...change, printedAt: own.at } : change;
  });
  return { code, timed, versions, ...kinds, found: found.length, cpuSeconds: (user + system) / 1e6 };
}

test('watch alone finds changes without a row within two hours, and asks for few states', async () => {
  const { code, timed, ...figures } = await watchSilentChanges();
  const minutes = timed
    .flatMap(({ at, printedAt }) => (printedAt === undefined ? [] : [(printedAt - at) / MINUTE]))
    .sort((one, other) => one - other);
  const part = (share: number): number => Math.round(minutes[Math.ceil(minutes.length * share) - 1] ?? 0);
  const said = { days: DAYS, changes: timed.length, median: part(0.5), of99: part(0.99), ...figures };
  process.stdout.write(`${JSON.stringify(said)}\n`);
  expect(code).toBe(0);
  expect(timed.filter(({ printedAt }) => printedAt === undefined)).toEqual([]);
  expect(timed.length).toBeGreaterThan(5 * DAYS);
  expect(part(0.99)).toBeLessThanOrEqual(120);
  // A version takes its present state, the archive of the one before and a look for a higher number; a change without a row three more.
  const polls = ((DAYS + 0.5) * DAY) / EVERY;
  expect(figures.others).toBeLessThan(1.1 * (polls + PAGES_A_SWEEP * (DAYS + 0.5) * 24));
  expect(figures.states).toBeLessThan(3 * figures.versions + 3 * timed.length);
}, 600_000);
