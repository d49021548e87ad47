import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure, Race } from '../figure.ts';
import { historyOf } from '../history-of.ts';

const YEAR = 100_000;
const MOST = Number(process.env.HISTORY ?? 1_000_000);
const program = fileURLToPath(new URL('../history-run.ts', import.meta.url));

async function read(folder: string, events: number): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'read', folder, String(events)]);
  return JSON.parse(stdout);
}

/** What reading takes in a history of a year, and in one that has grown to a million events. */
export const history: Race = {
  name: 'history',
  title: `The history in SQLite: ${YEAR.toLocaleString('en')} events (a year), then ${MOST.toLocaleString('en')} (CPU)`,
  run: async () => {
    const { folder, appending } = await historyOf(YEAR);
    const year = await read(folder, YEAR);
    const figures: Figure[] = [
      { name: 'append 1,000 events', value: appending, unit: 'ms' },
      {
        name: 'report of a year',
        detail: `${Math.round(year.report ?? Number.NaN)} ms`,
        value: (year.report ?? Number.NaN) / (year.parsing ?? Number.NaN),
        unit: '×',
        baseline: `reading and parsing its events: ${Math.round(year.parsing ?? Number.NaN)} ms`,
        goal: 1.3,
      },
      { name: 'peak memory of the report', value: year.peakMegabytes ?? Number.NaN, unit: 'MB' },
    ];
    if (MOST > YEAR) {
      await historyOf(MOST);
      const grown = await read(folder, MOST);
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
          goal: 50,
        })),
      );
    }
    return { figures };
  },
};
