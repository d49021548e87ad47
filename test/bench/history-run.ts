import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createNetChanges } from '../../lambdas/filters/net-changes.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createKeptChanges } from '../../lambdas/questions/worklist/kept-changes.ts';
import type { HistoryQuery } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { indexEvents, indexNextWords } from '../../lambdas/store/history/sqlite-event-index.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { classifiedEvent, timeOf } from './classified-event.ts';
import { peakMegabytes } from './peak-memory.ts';

/**
 * `node history-run.ts fill FOLDER FROM TO` appends events to the history in a folder; `node history-run.ts keep FOLDER` keeps the
 * changes of its worklist and the words of its events, as `watch` does; `node history-run.ts read FOLDER EVENTS` reports over the
 * last 100,000 and reads first pages. Each prints one line of JSON, with the peak memory of its process.
 */
const [mode, directory = '', first, second] = process.argv.slice(2);
const BATCH = 1_000;
const REPORTED = 100_000;

const file = openStateFile(directory);
const history = createSqliteHistory(file);

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function fill(from: number, to: number) {
  const appending = await cpuOf(async () => {
    for (let at = from; at < to; at += BATCH) {
      const records = Array.from({ length: BATCH }, (_, index) => toMessage(classifiedEvent(at + index)));
      await history.append(records, { catalogue: 'bench', since: timeOf(at), until: timeOf(at + BATCH) });
    }
    indexEvents(file);
  });
  return { appending };
}

/** A first page of twenty events. */
const pageCpu = (query: HistoryQuery): Promise<number> =>
  cpuOf(async () => {
    const page: PanelEvent[] = [];
    for await (const event of history.find({ ...query, limit: 20 })) page.push(event);
  });

async function read(events: number) {
  const newest = await pageCpu({});
  const ofGene = await pageCpu({ filter: { genes: ['GENE7'] } });
  const ofPanelAndRating = await pageCpu({ filter: { panels: [7], to: ['green'] } });
  const none = await pageCpu({ filter: { genes: ['NOSUCHGENE'] } });
  const since = timeOf(Math.max(0, events - REPORTED));
  const parsing = await cpuOf(async () => {
    const bodies = file.database.prepare("SELECT head || '[]' || tail AS body FROM event WHERE at >= ?");
    for (const { body } of bodies.iterate(Number(since))) JSON.parse(String(body));
  });
  const report = await cpuOf(async () => {
    const changes = createNetChanges();
    for await (const event of history.findWithoutRows({ since, order: 'oldest' })) changes.add(event);
    changes.result();
  });
  return { newest, ofGene, ofPanelAndRating, none, parsing, report };
}

async function keep() {
  const keeping = await cpuOf(() => createKeptChanges(file).keep());
  while (indexNextWords(file) > 0);
  return { keeping };
}

const modes: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  fill: () => fill(Number(first), Number(second)),
  keep,
  read: () => read(Number(first)),
};
const figures = await modes[mode ?? '']?.();
file.close();
process.stdout.write(`${JSON.stringify({ ...figures, peakMegabytes: peakMegabytes() })}\n`);
