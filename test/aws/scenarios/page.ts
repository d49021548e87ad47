import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { systemClock as clock } from '../../../lambdas/clock/clock.ts';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { createDynamoPanelStates } from '../../../lambdas/panel-states/dynamodb-panel-states.ts';
import { decisionSupport, users } from '../../../sandbox/identity/accounts.ts';
import { type BrowserSession, browserSession, tokenIn } from '../../page/browser-session.ts';
import { httpApiEvent } from '../../page-function/http-api-event.ts';
import { fillChannelSecret } from '../channel-secret.ts';
import { runCommand } from '../command-line.ts';
import type { Deployment } from '../deployment.ts';
import { startGuard } from '../guard.ts';
import { subscribeInbox } from '../inbox.ts';
import { addresses } from '../message-settings.ts';
import { pageOrigin } from '../page-settings.ts';
import { deliverBatches } from '../queue-batches.ts';
import { readerRights } from '../reader-rights.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

const stageName = stackName.replace('panel-sandbox-', '');

/** The walk of a change: a curator, an event, a message, the worklist, its cases, a decision on the page, the report. */
export async function checkPage(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { aws, checks, clients, catalogues, folder, receivers, say } = context;
  await fillChannelSecret(context, deployment);
  await clients.secrets.send(
    new PutSecretValueCommand({
      SecretId: deployment.outputs.SecretPage,
      SecretString: String(decisionSupport.secrets[0]),
    }),
  );
  const inbox = await subscribeInbox(clients, {
    name: 'walked-classifications',
    topicArn: deployment.outputs.TopicClassifications ?? '',
    filter: { catalogue: ['archived'] },
  });
  const names = ['poll-archived', 'sweep-archived', 'prove-archived', 'notify', 'page'];
  const functions = await Promise.all(names.map((name) => startFunction(context, { deployment, name })));
  const [poll, sweep, prove, notify, page] = functions as [
    RunningFunction,
    RunningFunction,
    RunningFunction,
    RunningFunction,
    RunningFunction,
  ];
  const { region, account } = deployment;
  const guard = await startGuard({
    endpoint: aws.AWS_ENDPOINT_URL,
    rights: readerRights(deployment, { stack: stackName, others: [] }),
    region,
    account,
  });
  const ask = (...parameters: readonly string[]) =>
    runCommand(
      [...parameters, '--stage', stageName, '--config', join(folder, 'settings.json')],
      { ...aws, AWS_ENDPOINT_URL: guard.endpoint },
      folder,
    );
  const times: string[] = [];
  const step = async <Value>(name: string, act: () => Promise<Value>): Promise<Value> => {
    const begun = clock.now();
    const value = await act();
    times.push(`${name} ${clock.now() - begun} ms`);
    return value;
  };

  try {
    for (const each of [poll, sweep, prove]) await done(each);
    await inbox.empty();
    const { QueueUrl: queueUrl = '' } = await clients.sqs.send(
      new GetQueueUrlCommand({ QueueName: `${stackName}-notify` }),
    );
    await deliverBatches(clients.sqs, { queueUrl, runtime: notify.runtime });
    await done(notify, { send: 'due' });
    await receivers.takeMails(addresses.archived);

    const states = createDynamoPanelStates({
      dynamodb: clients.dynamodb,
      table: deployment.outputs.HistoryTable ?? '',
      catalogue: 'archived',
      clock,
    });
    const before = new Map((await states.panels()).map(({ panelId, version }) => [panelId, version]));
    let green: PanelEvent | undefined;
    for (let tries = 0; tries < 100 && !green; tries++) {
      times.length = 0;
      await step('curator', async () => catalogues.archived.act({ kind: 'rate' }));
      await step('event', () => done(poll));
      green = (await inbox.empty()).map(({ event }) => event).find(isNowGreen);
    }
    assert.ok(green?.data.entity, 'no gene turned green');
    const { panel, entity } = green.data;
    const mails = await step('message', async () => {
      await deliverBatches(clients.sqs, { queueUrl, runtime: notify.runtime });
      await done(notify, { send: 'due' });
      return receivers.takeMails(addresses.archived);
    });
    await checks.check('a change by a curator becomes an event and a message', () => {
      const texts = mails.map(({ subject, text }) => `${subject}\n${text}`);
      assert.ok(
        texts.some((text) => text.includes(entity.name)),
        `${entity.name}: ${texts.join('\n')}`,
      );
    });

    const browser = browserOf(page);
    await step('sign-in', () => signIn(browser, 'managerScotland'));
    const first = await step('first view', () => browser.open('/worklist?sort=newest'));
    const list = await first.text();
    const entry = entryOf(list, entity.name);
    await checks.check('an entry of the worklist on the page, after a sign-in', () => {
      assert.equal(first.status, 200, list);
      assert.ok(entry, list);
    });
    await step('next view', () => browser.open('/'));

    await done(sweep);
    await done(prove);
    const cases = join(folder, 'cases.csv');
    writeFileSync(cases, `case,panel,version\nC1,${panel?.id},${before.get(panel?.id ?? 0)}\n`);
    const impact = await step('impact', () => ask('impact', '--cases', cases, '--name', 'archived'));
    await checks.check('with the cases that it concerns', () => {
      assert.match(impact.stdout, new RegExp(entity.name), `${impact.stdout}${impact.stderr}`);
    });

    const decided = await step('decision', () =>
      browser.send('/worklist/decide', {
        token: tokenIn(list),
        entry: String(entry),
        state: 'done',
        why: 'one case, looked at',
      }),
    );
    await checks.check('a decision on the page, of which two at once keep one', async () => {
      assert.equal(decided.status, 200, await decided.text());
      const again = await browser.send('/worklist/decide', {
        token: tokenIn(list),
        entry: String(entry),
        state: 're-analyse',
        why: 'another view of it',
      });
      assert.equal(again.status, 409);
    });
    const report = await step('report', () => ask('worklist', 'export'));
    await checks.check('and the report of the command line, by the rights of a person', () => {
      assert.equal(report.exitCode, 0, `${report.stderr}${guard.refused.join()}`);
      assert.match(report.stdout, /<b>done<\/b>, Morag Manager/);
      assert.deepEqual(guard.refused, []);
    });
    const reader = browserOf(page);
    await signIn(reader, 'scientistEngland');
    const text = await (await reader.open('/worklist?state=all')).text();
    const refused = await reader.send('/worklist/decide', {
      token: tokenIn(await (await reader.open('/')).text()),
      entry: String(entry).replace(/0$/, '1'),
      state: 'no-action',
      why: 'x',
    });
    await checks.check('a reader sees the decision and makes none', () => {
      assert.ok(text.includes(entity.name));
      assert.equal(refused.status, 403);
    });
    await checks.check('all by the rights of the functions’ own roles', () => {
      assert.deepEqual(
        functions.flatMap((each) => [...each.guard.refused]),
        [],
      );
    });
    say(`    the walk took: ${times.join(', ')}`);
  } finally {
    await guard.stop();
    for (const each of functions) await each.stop();
  }
}

const isNowGreen = ({ data }: PanelEvent): boolean =>
  'to' in data.change && data.change.to === 'green' && 'from' in data.change && data.change.from !== 'green';

/** The entry of an entity, with its revision, as the form on the page sends it. */
const entryOf = (list: string, name: string): string | undefined =>
  list
    .split('<input')
    .filter((part) => part.includes('name="entry"') && part.includes(name))
    .map((part) => /value="([0-9a-f]{32}:\d+:\d+)"/.exec(part)?.[1])[0];

const resultSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.string()),
  body: z.string(),
  isBase64Encoded: z.boolean(),
});

/** A browser whose requests reach the function as those of an HTTP API. */
const browserOf = ({ runtime }: RunningFunction): BrowserSession =>
  browserSession(async (request) => {
    const outcome = await runtime.invoke(await httpApiEvent(request));
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const { statusCode, headers, cookies, body, isBase64Encoded } = resultSchema.parse(outcome.result);
    const response = new Response(
      body === '' ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
      {
        status: statusCode,
        headers,
      },
    );
    for (const cookie of cookies) response.headers.append('set-cookie', cookie);
    return response;
  }, pageOrigin);

async function signIn(browser: BrowserSession, user: 'managerScotland' | 'scientistEngland'): Promise<void> {
  const begun = await browser.open('/sign-in');
  const chosen = await fetch(String(begun.headers.get('location')), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ user: users[user].objectId }),
  });
  const back = await browser.open(String(chosen.headers.get('location')));
  assert.equal(back.status, 302, await back.text());
}

async function done({ runtime }: RunningFunction, event: object = {}): Promise<void> {
  const outcome = await runtime.invoke(event);
  assert.ok(outcome.ok, JSON.stringify(outcome));
}
