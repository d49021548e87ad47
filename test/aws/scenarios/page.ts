import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import type { Browser, Locator, Page } from 'playwright-core';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { createDynamoPanelStates } from '../../../lambdas/panels/dynamodb-panel-states.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { registeredClient, signInThere } from '../../../scripts/independent-provider.ts';
import { openChromium } from '../../../scripts/open-chromium.ts';
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
import { serveFunction } from '../served-function.ts';
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
      SecretString: registeredClient.secret,
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
  const served = await serveFunction(page, { origin: pageOrigin });
  const browser = await openChromium();
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

    const morag = await step('sign-in and first view', () => signedIn(browser, 'morag'));
    const entry = entryOf(morag, entity.name);
    await checks.check('an entry of the worklist in a browser, after a sign-in', async () => {
      assert.ok((await entry.count()) > 0, await morag.locator('body').innerText());
    });
    await step('next view', () => morag.goto(pageOrigin));

    await done(sweep);
    await done(prove);
    const cases = join(folder, 'cases.csv');
    writeFileSync(cases, `case,panel,version\nC1,${panel?.id},${before.get(panel?.id ?? 0)}\n`);
    const impact = await step('impact', () => ask('impact', '--cases', cases, '--name', 'archived'));
    await checks.check('with the cases that it concerns', () => {
      assert.match(impact.stdout, new RegExp(entity.name), `${impact.stdout}${impact.stderr}`);
    });

    const olu = await signedIn(browser, 'olu');
    await olu.goto(list);
    await morag.goto(list);
    await step('decision', () => decide(morag, entity.name, { state: 'done', why: 'one case, looked at' }));
    await checks.check('a decision on the page, of which two at once keep one', async () => {
      assert.match(await morag.locator('main').innerText(), /^Decided\n/);
      await decide(olu, entity.name, { state: 're-analyse', why: 'another view of it' });
      assert.match(
        await olu.locator('main').innerText(),
        /^Not everything was decided\n[\s\S]*Morag Manager/,
      );
    });
    await checks.check('a comment, and an assignment that the colleague finds', async () => {
      await morag.getByRole('link', { name: `${entity.name} now green` }).click();
      await morag.getByLabel('Comment').fill('Asked the clinic');
      await morag.getByRole('button', { name: 'Comment' }).click();
      await morag.getByLabel('Person').fill('Olu Operator');
      await morag.getByRole('button', { name: 'Assign', exact: true }).click();
      await olu.goto(`${pageOrigin}/worklist?assigned=me&state=all`);
      await olu.locator('li.entry h3 a').click();
      assert.match(await olu.locator('main').innerText(), /Asked the clinic/);
    });
    await checks.check('all of it in the audit log, as the guide reads it', async () => {
      const { Items = [] } = await clients.dynamodb.send(
        new QueryCommand({
          TableName: deployment.outputs.PeopleTable,
          KeyConditionExpression: 'pk = :month',
          ExpressionAttributeValues: {
            ':month': { S: `audit#${new Date(clock.now()).toISOString().slice(0, 7)}` },
          },
        }),
      );
      const actions = new Set(Items.map(({ body }) => JSON.parse(body?.S ?? '').action));
      for (const action of ['signed-in', 'decided', 'commented', 'assigned']) assert.ok(actions.has(action));
    });
    const report = await step('report', () =>
      ask('worklist', '--name', 'archived', '--status', 'all', '--format', 'html'),
    );
    await checks.check('and the report of the command line, by the rights of a person', () => {
      assert.equal(report.exitCode, 0, `${report.stderr}${guard.refused.join()}`);
      assert.match(report.stdout, /Morag Manager \(morag\) decided “done”/);
      assert.deepEqual(guard.refused, []);
    });
    const reader = await signedIn(browser, 'sofia');
    await checks.check('a reader sees the decision and makes none', async () => {
      await reader.goto(`${pageOrigin}/worklist?state=all&sort=newest`);
      assert.match(await entryOf(reader, entity.name).first().innerText(), /one case, looked at/);
      assert.equal(await reader.getByRole('button', { name: 'Decide' }).count(), 0);
    });
    await checks.check('and signs out', async () => {
      await reader.getByRole('button', { name: 'Sign out' }).click();
      assert.match(await reader.locator('main').innerText(), /You are signed out of this page/);
    });
    await checks.check('all by the rights of the functions’ own roles', () => {
      assert.deepEqual(
        functions.flatMap((each) => [...each.guard.refused]),
        [],
      );
    });
    say(`    the walk took: ${times.join(', ')}`);
  } finally {
    await browser.close();
    served.stop();
    await guard.stop();
    for (const each of functions) await each.stop();
  }
}

const isNowGreen = ({ data }: PanelEvent): boolean =>
  'to' in data.change && data.change.to === 'green' && 'from' in data.change && data.change.from !== 'green';

const list = `${pageOrigin}/worklist?sort=newest`;

/** The entry of an entity on a list. */
const entryOf = (page: Page, name: string): Locator =>
  page.locator('li.entry', { hasText: `${name} now green` });

/** A browser without script, whose person has signed in and sees the list. */
async function signedIn(browser: Browser, login: string): Promise<Page> {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(list);
  await signInThere(page, login);
  return page;
}

async function decide(
  page: Page,
  name: string,
  { state, why }: { readonly state: string; readonly why: string },
): Promise<void> {
  await entryOf(page, name).first().getByRole('checkbox').check();
  const form = page.getByRole('group', { name: 'Decide' });
  await form.getByLabel('State').selectOption(state);
  await form.getByLabel('Reason').fill(why);
  await form.getByRole('button', { name: 'Decide' }).click();
}

async function done({ runtime }: RunningFunction, event: object = {}): Promise<void> {
  const outcome = await runtime.invoke(event);
  assert.ok(outcome.ok, JSON.stringify(outcome));
}
