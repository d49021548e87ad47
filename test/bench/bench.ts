import { styleText } from 'node:util';
import { runBacklog } from './backlog.ts';
import { bundleRatios } from './bundle-load.ts';
import { classifierLinearity } from './classifier-linearity.ts';
import { pageCosts } from './page-cost.ts';
import type { Ratio } from './ratio.ts';

/** `npm run bench`: what the notifier costs, as ratios within this run. */
const BACKLOG = Number(process.env.BACKLOG ?? 100_000);

function show(ratios: readonly Ratio[]): void {
  for (const { name, ratio, unit, aim } of ratios) {
    const wanted = Number.isNaN(aim) ? '' : `  (aim: ${aim})`;
    process.stdout.write(`  ${name.padEnd(66)} ${ratio.toFixed(2).padStart(7)} ${unit}${wanted}\n`);
  }
}

const title = (text: string): void => void process.stdout.write(`\n${styleText('bold', text)}\n`);

title('A page of the activity log (CPU)');
show(pageCosts());

title('Texts built to stall the classifier (CPU)');
show(classifierLinearity());

title('The poll function (bundled, minified, in a new process)');
show(await bundleRatios());

title(`A backlog of ${BACKLOG.toLocaleString('en')} rows, against fetching and parsing the same pages`);
const { parse, publish, local } = await runBacklog(BACKLOG, ['parse', 'publish', 'local']);
if (parse && publish && local) {
  const ways = [
    ['classified and published, table and topics in memory', publish],
    ['the same printed to a file, with state and history in SQLite', local],
  ] as const;
  for (const [name, run] of ways) {
    show([
      { name: `time, ${name}`, ratio: run.milliseconds / parse.milliseconds, unit: '×', aim: 1.3 },
      {
        name: `CPU, ${name}`,
        ratio: run.cpuMilliseconds / parse.cpuMilliseconds,
        unit: '×',
        aim: Number.NaN,
      },
      {
        name: `peak memory (parsing alone: ${parse.peakMegabytes.toFixed(0)} MB)`,
        ratio: run.peakMegabytes,
        unit: 'MB',
        aim: 150,
      },
      { name: `GETs (pages: ${parse.requests})`, ratio: run.requests, unit: 'GETs', aim: Number.NaN },
      { name: 'events', ratio: run.events, unit: 'events', aim: Number.NaN },
    ]);
  }
}
