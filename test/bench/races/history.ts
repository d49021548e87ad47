import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure, Race } from '../figure.ts';

const YEAR = 100_000;
const MOST = Number(process.env.HISTORY ?? 1_000_000);
const program = fileURLToPath(new URL('../history-run.ts', import.meta.url));

async function run(...args: readonly (string | number)[]): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args.map(String)]);
  return JSON.parse(stdout);
}

/** What reading takes in a history of a year, and in one that has grown to a million events. */
export const history: Race = {
  name: 'history',
  title: `The history in SQLite: ${YEAR.toLocaleString('en')} events (a year), then ${MOST.toLocaleString('en')} (CPU)`,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'history-'));
    try {
      const { appending = Number.NaN } = await run('fill', folder, 0, YEAR);
      const year = await run('read', folder, YEAR);
      const figures: Figure[] = [
        { name: 'append 1,000 events', value: appending / (YEAR / 1_000), unit: 'ms' },
        {
          name: 'report of a year',
          value: year.report ?? Number.NaN,
          unit: 'ms',
          baseline: `reading and parsing its events: ${Math.round(year.parsing ?? Number.NaN)} ms`,
          goal: 1_000,
        },
        { name: 'peak memory of the report', value: year.peakMegabytes ?? Number.NaN, unit: 'MB' },
      ];
      if (MOST > YEAR) {
        await run('fill', folder, YEAR, MOST);
        const grown = await run('read', folder, MOST);
        const of = `of ${MOST.toLocaleString('en')} events`;
        figures.push(
          {
            name: `report of the last year ${of}`,
            value: (grown.report ?? Number.NaN) / (year.report ?? Number.NaN),
            unit: '×',
            baseline: 'the report of a year alone',
            goal: 1.3,
          },
          {
            name: 'peak memory of that report',
            value: (grown.peakMegabytes ?? Number.NaN) / (year.peakMegabytes ?? Number.NaN),
            unit: '×',
            baseline: 'the report of a year alone',
            goal: 1.2,
          },
          ...(
            [
              ['newest', 'first page, no filter'],
              ['ofGene', 'first page, a gene'],
              ['ofPanelAndRating', 'first page, a panel and a rating'],
              ['none', 'a gene without events'],
            ] as const
          ).map(([key, name]) => ({
            name: `${name}, ${of}`,
            value: grown[key] ?? Number.NaN,
            unit: 'ms',
            goal: 100,
          })),
        );
      }
      return { figures };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
