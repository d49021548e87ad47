import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { secretsManagerSecret } from '../../catalogue/identity/secrets-manager.ts';
import { systemClock as clock } from '../../run/clock.ts';
import { metrics } from '../../run/emf.ts';
import { jsonLog } from '../../run/log.ts';
import { pageSettings, readEnvironment } from '../settings.ts';
import { type HttpApiResult, requestOf, resultOf } from './http-api.ts';
import { openPage } from './open-page.ts';
import { readPagePlan } from './page-plan.ts';

const environment = readEnvironment(pageSettings, process.env);
const { PAGE_FOLDER: folder, CLIENT_SECRET_ID: clientSecretId } = environment;
const plan = readPagePlan(readFileSync(`${folder}/page.json`, 'utf8'), `${folder}/page.json`);
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const log = jsonLog(write, clock.now);
const dynamodb = new DynamoDBClient({
  // A connection may have ended while the instance stood still between two requests.
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
});

let opened: ReturnType<typeof openPage> | undefined;

/** The page, opened by the first request; where that fails, the next request tries again. */
function page(): ReturnType<typeof openPage> {
  opened ??= openPage({
    log,
    environment,
    plan,
    dynamodb,
    clientSecret: clientSecretId === undefined ? null : secretsManagerSecret({ secretId: clientSecretId }),
    sessionKey: secretsManagerSecret({ secretId: environment.SESSION_KEY_ID }),
    clock,
    onWhole(percentFull) {
      const ofCopy = metrics(write, clock.now, { namespace: environment.METRICS_NAMESPACE });
      ofCopy.gauge('PageCopyPercent', percentFull);
      ofCopy.flush();
    },
    // Lambda keeps the disk where a process ended early, and starts the next one there: copies must not fill it.
    copyFolder: join(tmpdir(), `copy-of-${process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'page'}`),
  }).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Answers a request that an HTTP API hands over. */
export async function handler(event: unknown): Promise<HttpApiResult> {
  const { request, from } = requestOf(event);
  try {
    return await resultOf(await (await page()).answer(request, { from }), request);
  } catch (error) {
    // The answer of API Gateway itself would not say what to do. What failed may name tables: it is for the log alone.
    log.error('A request could not be answered', { path: new URL(request.url).pathname, error });
    const body = 'The page is not working right now. Try again in a minute; its log says what failed.\n';
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '60' };
    return resultOf(new Response(body, { status: 503, headers }), request);
  }
}
