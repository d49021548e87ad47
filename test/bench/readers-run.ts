import { fork } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { startLocalNotifier } from '../../bin/local/notifier.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { servePage } from '../../page/listen.ts';

/**
 * `node readers-run.ts FOLDER CATALOGUE` polls beside the page of a history: first without readers, then with a hundred
 * who each ask for a view as soon as they have the one before. Prints one line of JSON: milliseconds of the middle poll.
 */
const READERS = 100;
const POLLS = 15;
const VIEWS = [
  '/',
  '/?to=green',
  '/?panel=7&since=all',
  '/?gene=GENE7&since=all',
  '/report?panel=7',
  '/panels/7',
];

if (process.send) {
  const [page = ''] = process.argv.slice(2);
  let views = 0;
  const readOn = async (reader: number): Promise<never> => {
    for (let turn = reader; ; turn++) {
      const response = await fetch(new URL(VIEWS[turn % VIEWS.length] ?? '/', page));
      await response.arrayBuffer();
      views += response.ok ? 1 : 0;
    }
  };
  for (let reader = 0; reader < READERS; reader++) void readOn(reader);
  process.on('message', () => process.send?.(views));
} else {
  const [folder = '', url = ''] = process.argv.slice(2);
  const notifier = await startLocalNotifier({
    name: `readers-${process.pid}`,
    url,
    access: anonymous,
    state: folder,
    overlap: minutes(15),
    log: silentLog,
    publisher: { publish: async () => [] },
    io: {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
      clock: systemClock,
      signal: new AbortController().signal,
    },
  });
  const page = await servePage(
    { file: notifier.file, clock: systemClock, zone: 'Europe/London' },
    { port: 0 },
  );
  const middlePoll = async (): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < POLLS; turn++) {
      const before = performance.now();
      await notifier.poll();
      times.push(performance.now() - before);
    }
    return times.sort((one, other) => one - other)[Math.floor(POLLS / 2)] ?? Number.NaN;
  };
  await notifier.poll();
  const alone = await middlePoll();
  const readers = fork(fileURLToPath(import.meta.url), [page.url], { execArgv: process.execArgv });
  const viewsSoFar = async (): Promise<number> => {
    readers.send('views');
    return Number((await once(readers, 'message'))[0]);
  };
  while ((await viewsSoFar()) < READERS) await notifier.poll();
  const [viewsBefore, began] = [await viewsSoFar(), performance.now()];
  const beside = await middlePoll();
  const viewsASecond = ((await viewsSoFar()) - viewsBefore) / ((performance.now() - began) / 1000);
  readers.kill();
  await page.close();
  await notifier.close();
  process.stdout.write(`${JSON.stringify({ alone, beside, viewsASecond })}\n`);
}
