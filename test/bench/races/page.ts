import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure, Race } from '../figure.ts';

const EVENTS = Number(process.env.HISTORY ?? 1_000_000);
const [fill, read] = ['history-run.ts', 'page-run.ts'].map((name) =>
  fileURLToPath(new URL(`../${name}`, import.meta.url)),
);

async function run(...args: readonly (string | number | undefined)[]): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, args.map(String));
  return JSON.parse(stdout);
}

/** What a view is called, and the most milliseconds that it may take. */
const views = [
  ['newest', 'the last 30 days', 100],
  ['all', 'all time', 100],
  ['rating', 'what turned green', 100],
  ['gene', 'a gene', 100],
  ['panelAndRating', 'a panel and a rating', 100],
  ['code', 'an R code, which no index has', 250],
  ['absentCurator', 'a curator without a change', 250],
] as const;

/** What a view of the page takes in a history of a million events, against the same query alone in the store. */
export const page: Race = {
  name: 'page',
  title: `The page over ${EVENTS.toLocaleString('en')} events: 100 of them, and the counts of all filters (CPU)`,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'page-'));
    try {
      await run(fill, 'fill', folder, 0, EVENTS);
      const found = await run(read, folder, EVENTS);
      const figures = views.map(
        ([key, name, goal]): Figure => ({
          name,
          value: found[key] ?? Number.NaN,
          unit: 'ms',
          baseline: `the query alone, ${(found[`${key}Alone`] ?? Number.NaN).toFixed(1)} ms`,
          goal,
        }),
      );
      const first: Figure = {
        name: 'the first view of a process, the last 30 days',
        value: found.newestCold ?? Number.NaN,
        unit: 'ms',
        goal: 1_000,
      };
      const notes = ['A view looks at the newest 20,000 events of a period for its counts, and says so.'];
      return { figures: [first, ...figures], notes };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
