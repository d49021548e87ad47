import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure, Race } from '../figure.ts';
import { historyOf } from '../history-of.ts';

const EVENTS = Number(process.env.HISTORY ?? 1_000_000);
const program = fileURLToPath(new URL('../page-run.ts', import.meta.url));

async function read(folder: string): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder, String(EVENTS)]);
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
    const { folder } = await historyOf(EVENTS);
    const found = await read(folder);
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
      goal: 300,
    };
    const notes = ['A view looks at the newest 20,000 events of a period for its counts, and says so.'];
    return { figures: [first, ...figures], notes };
  },
};
