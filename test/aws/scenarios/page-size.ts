import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { localTimes } from '../../../page/html.ts';
import { registeredClient, signInThere } from '../../../scripts/independent-provider.ts';
import { openChromium } from '../../../scripts/open-chromium.ts';
import { timeOf } from '../../bench/classified-event.ts';
import { httpApiEvent } from '../../functions/page/http-api-event.ts';
import type { Deployment } from '../deployment.ts';
import { startLargeHistory } from '../large-history.ts';
import { pageOrigin } from '../page-settings.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import { serveFunction } from '../served-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

const SIZES = [10_000, 100_000, 200_000, 1_000_000];
/** Each takes 20 seconds: `STREAMS=1000` reads to the end of what the copy holds. */
const MOST_STREAMS = Number(process.env.STREAMS ?? 3);
const MEGABYTE = 2 ** 20;

/** The day on which the history begins, or the one before it, where a reader is west of Greenwich. */
const beginning = new RegExp(
  [timeOf(0), timeOf(0) - 1n].map((at) => localTimes('UTC').day(Number(at / 1000n))).join('|'),
);

/** How long the first view takes after a cold start, and what the page needs in the end, for histories of growing length. */
export async function checkPageSize(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { aws, checks, clients, say } = context;
  await clients.secrets.send(
    new PutSecretValueCommand({
      SecretId: deployment.outputs.SecretPage,
      SecretString: registeredClient.secret,
    }),
  );
  const session = await signedInSession(context, deployment);
  const figures: string[] = [];
  for (const events of SIZES) {
    const table = deployment.outputs.HistoryTable ?? '';
    const history = await startLargeHistory({ endpoint: aws.AWS_ENDPOINT_URL, table, events });
    const page = await startFunction(
      { ...context, aws: { ...aws, AWS_ENDPOINT_URL: history.endpoint } },
      { deployment, name: 'page' },
    );
    const view = (path: string) => viewOf(page, path, session);
    try {
      // The function was started a moment ago: its first answer waits for its modules, too.
      const begun = clock.now();
      const first = await view('/?since=all');
      const firstView = `${clock.now() - begun} ms (${cpuMilliseconds(page)} ms of CPU)`;
      await checks.check(
        `a first view over ${events.toLocaleString('en')} events says what has not been read yet`,
        () => {
          assert.match(first, /GENE\d+/);
          const [, unread = ''] = /<div class="warning unread">(.*?)<\/div>/s.exec(first) ?? [];
          assert.match(unread, beginning);
          assert.deepEqual(page.guard.refused, []);
        },
      );
      // Whoever reads on gives the function time for the older events.
      let streams = 0;
      const isWhole = (): boolean => page.runtime.log.some((line) => line.includes('PageCopyPercent'));
      while (!isWhole() && streams < MOST_STREAMS) {
        await view('/live?after=0');
        streams += 1;
      }
      figures.push(
        `${events.toLocaleString('en')} events: first view ${firstView}; after ${streams} live streams ${isWhole() ? 'all of the copy' : 'a part of the copy'}, ${peakMegabytes(page)} MB of memory, ${diskMegabytes(page)} MB of disk`,
      );
    } finally {
      await page.stop();
      history.stop();
    }
  }
  for (const line of figures) say(`    ${line}`);
}

/** The cookie of a person who signed in; every instance of the page knows the session. */
async function signedInSession(context: ScenarioContext, deployment: Deployment): Promise<string> {
  const page = await startFunction(context, { deployment, name: 'page' });
  const served = await serveFunction(page, { origin: pageOrigin });
  const browser = await openChromium();
  try {
    const tab = await browser.newPage({ javaScriptEnabled: false });
    await tab.goto(pageOrigin);
    await signInThere(tab, 'sofia');
    const cookies = await tab.context().cookies();
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  } finally {
    await browser.close();
    served.stop();
    await page.stop();
  }
}

async function viewOf({ runtime }: RunningFunction, path: string, cookie: string): Promise<string> {
  const outcome = await runtime.invoke(
    await httpApiEvent(new Request(new URL(path, pageOrigin), { headers: { cookie } })),
  );
  assert.ok(outcome.ok, JSON.stringify(outcome));
  const { statusCode, body, isBase64Encoded } = outcome.result as {
    readonly statusCode: number;
    readonly body: string;
    readonly isBase64Encoded: boolean;
  };
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  assert.equal(statusCode, 200, text.slice(0, 1_000));
  return text;
}

/** The most that the process had in memory. */
function peakMegabytes({ runtime }: RunningFunction): string {
  const status = readFileSync(`/proc/${runtime.pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024).toFixed(0);
}

/** The time of processors that its process has used. */
function cpuMilliseconds({ runtime }: RunningFunction): number {
  const [, ...fields] = readFileSync(`/proc/${runtime.pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.join().split(' ').slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

/** What the copy takes on the disk. */
function diskMegabytes({ deployed }: RunningFunction): string {
  const folder = join(tmpdir(), `copy-of-${deployed.name}`);
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return (sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE).toFixed(0);
}
