import { systemClock } from '../../lambdas/run/clock.ts';
import { createSqlitePages, type PageQuery } from '../../lambdas/store/history/sqlite-pages.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import { timeOf } from './classified-event.ts';

/**
 * `node page-run.ts FOLDER EVENTS` reads views of the page over the history in a folder, and the first page of events of
 * each straight from the store. Prints one line of JSON: milliseconds of CPU by view.
 */
const [directory = '', events = ''] = process.argv.slice(2);
const file = openStateFile(directory);
const end = Number(timeOf(Number(events)) / 1000n);
const clock = { ...systemClock, now: () => end };
const answer = answerRequests({ file, clock, zone: 'Europe/London', signal: new AbortController().signal });
const pages = createSqlitePages(file);

/** The least of three, so that what else the machine does counts little. */
async function cpuOf(work: () => unknown, times = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

async function read(address: string): Promise<void> {
  const url = new URL(address, 'http://127.0.0.1/');
  const response = await answer(new Request(url, { headers: { host: url.host } }));
  const text = await response.text();
  // The view of an unknown name is a list too, and says so.
  if (response.status !== 200 && !(response.status === 404 && address.includes('Absent')))
    throw new Error(`${address} answered ${response.status}: ${text.slice(0, 500)}`);
}

const views: Readonly<Record<string, readonly [address: string, query: PageQuery]>> = {
  newest: ['/', { since: timeOf(Number(events) - 30 * 288) }],
  all: ['/?since=all', {}],
  rating: ['/?to=green&since=all', { filter: { to: ['green'] } }],
  gene: ['/?gene=GENE7&since=all', { filter: { genes: ['GENE7'] } }],
  panelAndRating: ['/?panel=7&to=green&since=all', { filter: { panels: [7], to: ['green'] } }],
  code: ['/?r-code=R7&since=all', { filter: { rCodes: ['R7'] } }],
  absentCurator: ['/?actor=Absent&since=all', { filter: { actors: ['Absent'] } }],
};

const figures: Record<string, number> = {};
for (const [name, [address, query]] of Object.entries(views)) {
  figures[`${name}Cold`] = await cpuOf(() => read(address), 1);
  figures[name] = await cpuOf(() => read(address));
  figures[`${name}Alone`] = await cpuOf(() => pages.page(query, { size: 100, examined: 25_000 }));
}
file.close();
process.stdout.write(`${JSON.stringify(figures)}\n`);
