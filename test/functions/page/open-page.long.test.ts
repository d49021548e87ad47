import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPage } from '../../../lambdas/functions/page/open-page.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { defaultWorklist } from '../../../lambdas/questions/worklist/worklist-settings.ts';
import { silentLog } from '../../../lambdas/run/log.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import { deployedSignInSchema } from '../../../page/sign-in/access-settings.ts';
import { decisionSupport, tenants } from '../../../sandbox/identity/accounts.ts';
import { startIdentityProvider } from '../../../sandbox/identity/identity-provider.ts';
import { signingKey } from '../../catalogue/identity/signing-key.ts';
import { type BrowserSession, browserSession, tokenIn } from '../../page/browser-session.ts';
import { chosenUser, ORIGIN } from '../../page/team-page.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { createTable } from '../../store/create-table.ts';
import { createHistoryTable } from '../../store/history/create-history-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
import { turnedGreen } from '../../words/events.ts';

let local: LocalDynamoDb;
let number = 0;
beforeAll(async () => {
  local = await openLocalDynamoDb();
});
afterAll(() => local.close());

const key = signingKey();

/** The tables of a stage, and instances of its page. */
async function openStage() {
  const { dynamodb } = local;
  const clock = createTestClock({ wokenByHand: true });
  const named = (name: string): string => `${name}-${++number}${local.suffix}`;
  const [state, worklist, people] = await Promise.all(
    ['state', 'worklist', 'people'].map((name) => createTable(dynamodb, named(name), tableKeys)),
  );
  const historyTable = await createHistoryTable(dynamodb, named('history'));
  const history = createDynamoHistory({ dynamodb, table: historyTable, clock });
  const publish = (id: string) =>
    history.append([toMessage(turnedGreen({ id }))], { catalogue: 'uk', since: 1n, until: 2n });
  await publish('a1');
  const identity = await startIdentityProvider({ clock, key });
  onTestFinished(() => identity.close());
  const secret = { text: String(decisionSupport.secrets[0]), reads: 0 };
  const open = async () => {
    const opened = await openPage({
      log: silentLog,
      environment: {
        TABLE_NAME: String(state),
        HISTORY_TABLE_NAME: historyTable,
        WORKLIST_TABLE_NAME: worklist,
        PEOPLE_TABLE_NAME: String(people),
        METRICS_NAMESPACE: 'panels-test',
        PAGE_ADDRESS: ORIGIN,
        PAGE_FOLDER: `${process.cwd()}/page`,
        SESSION_KEY_ID: 'key',
      },
      plan: {
        stage: 'production',
        catalogues: ['uk'],
        zone: 'Europe/London',
        signIn: deployedSignInSchema.parse({
          provider: {
            issuer: identity.issuer(tenants['non-production'].id),
            clientId: decisionSupport.clientId,
            scope: 'openid',
          },
          roles: { claim: 'roles', reader: ['NCR003'], decider: ['NCR004', 'NNR501'] },
        }),
        worklist: defaultWorklist,
      },
      dynamodb,
      clientSecret: {
        name: 'the secret',
        read: async () => {
          secret.reads++;
          return `${secret.text}\n`;
        },
      },
      sessionKey: { name: 'the key', read: async () => 'a text that is the same for every instance' },
      clock,
    });
    onTestFinished(() => opened.close());
    return opened.answer;
  };
  return { clock, open, secret, publish, people: String(people) };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof openStage>>['open']>>;

/** A browser whose requests reach one instance after the other, as those of an HTTP API may. */
function browserOf(...instances: readonly Answer[]): BrowserSession {
  let turn = 0;
  return browserSession((request) => {
    const instance = instances[turn++ % instances.length];
    if (!instance) throw new Error('no instance');
    return instance(request, { from: '203.0.113.7' });
  }, ORIGIN);
}

async function signIn(browser: BrowserSession): Promise<Response> {
  const begun = await browser.open('/sign-in?to=/worklist');
  return browser.open(await chosenUser(String(begun.headers.get('location')), 'managerScotland'));
}

test('a person signs in, reads and decides while each request reaches another instance', async () => {
  const stage = await openStage();
  const browser = browserOf(await stage.open(), await stage.open(), await stage.open());
  expect((await signIn(browser)).headers.get('location')).toBe('/worklist');
  const list = await (await browser.open('/worklist')).text();
  expect(list).toContain('BRCA1 now green');
  const [, entry = ''] = /name="entry" id="[^"]+" value="([^"]+)"/.exec(list) ?? [];
  const form = { token: tokenIn(list), entry, state: 'done', why: 'looked at' };
  expect((await browser.send('/worklist/decide', form)).status).toBe(200);
  expect((await browser.send('/worklist/decide', { ...form, why: 'again' })).status).toBe(409);
  expect((await browser.send('/my-panels', { token: tokenIn(list), panel: 'Hearing loss' })).status).toBe(
    404,
  );
  const { Items = [] } = await local.dynamodb.send(new ScanCommand({ TableName: stage.people }));
  const audit = Items.filter(({ pk }) => pk?.S?.startsWith('audit#')).map(({ body }) =>
    JSON.parse(body?.S ?? ''),
  );
  expect(audit.map(({ action, outcome }) => outcome ?? action).toSorted()).toStrictEqual([
    'conflict',
    'decided',
    'decides',
    'decides',
    'signed-in',
  ]);
});

test('a sign-in that was used at one instance is used for all, and a sign-out ends the session everywhere', async () => {
  const stage = await openStage();
  const [one, other] = [await stage.open(), await stage.open()];
  const browser = browserOf(one);
  const begun = String((await browser.open('/sign-in')).headers.get('location'));
  const sealed = browser.cookies.get('sign-in') ?? '';
  const callback = await chosenUser(begun, 'managerScotland');
  expect((await browser.open(callback)).status).toBe(302);
  const attacker = browserOf(other);
  expect((await attacker.open(callback, { cookie: `sign-in=${sealed}` })).status).toBe(403);
  const cookie = `session=${browser.cookies.get('session')}`;
  const page = await attacker.open('/', { cookie });
  expect(page.status).toBe(200);
  expect((await browser.send('/sign-out', { token: tokenIn(await page.text()) })).status).toBe(200);
  expect((await attacker.open('/', { cookie })).status).toBe(302);
});

test('the form for cases names the size of file that a function takes, and a larger one is refused', async () => {
  const stage = await openStage();
  const browser = browserOf(await stage.open());
  await signIn(browser);
  const form = await (await browser.open('/impact')).text();
  expect(form).toContain('lines and 4 MB.');
  const fields = { token: tokenIn(form), as: 'change', cases: new File(['case'], 'cases.csv') };
  const response = await browser.upload('/impact', fields, { 'content-length': '4000001' });
  expect(response.status).toBe(413);
});

test('a live stream ends after one look and asks the browser to come again in a minute', async () => {
  const stage = await openStage();
  const browser = browserOf(await stage.open());
  await signIn(browser);
  await browser.open('/');
  await stage.publish('a2');
  stage.clock.pass(61_000);
  const stream = await (await browser.open('/live?after=1')).text();
  expect(stream).toContain('retry: 60000');
  expect(stream).toContain('event: changes\ndata: {"count":1}');
});

test('a new client secret is read when the provider refuses the old one, without a deployment', async () => {
  const stage = await openStage();
  const browser = browserOf(await stage.open());
  const { text } = stage.secret;
  stage.secret.text = 'the secret that ended';
  expect((await signIn(browser)).status).toBe(403);
  stage.secret.text = text;
  expect((await signIn(browser)).status).toBe(302);
  expect(stage.secret.reads).toBe(3);
});

test('without a session nothing of the history is copied or shown', async () => {
  const stage = await openStage();
  const browser = browserOf(await stage.open());
  for (const path of ['/', '/worklist', '/events.csv', '/live?after=0', '/my-panels']) {
    const response = await browser.open(path);
    expect([path, response.status]).toStrictEqual([path, 302]);
  }
  expect((await browser.open('/page.css')).status).toBe(200);
});
