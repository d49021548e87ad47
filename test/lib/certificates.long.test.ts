import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { App, Stack } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { SMTPServer } from 'smtp-server';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import type { PagePlan } from '../../lambdas/functions/page/page-plan.ts';
import type { NotifyPlan } from '../../lambdas/notify/subscription.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { functionBundles } from '../../lib/bundle.ts';
import { certificatesLayer } from '../../lib/bundled-function.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { selfSigned } from '../../sandbox/http.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { startIdentityProvider } from '../../sandbox/identity/identity-provider.ts';
import { startInspectingProxy } from '../catalogue/http/fixtures/inspecting-proxy.ts';
import { serve } from '../catalogue/http/fixtures/server.ts';
import { chatWebhooks } from '../channels/chat-webhooks.ts';
import { httpApiEvent } from '../functions/page/http-api-event.ts';
import { newFolder } from '../new-folder.ts';
import { startSnsEndpoint } from '../publishing/sns/endpoint.ts';
import { startSecretsManager } from '../sandbox/identity/secrets-manager.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';

/**
 * The bundles of all functions that ask anybody but AWS, each in a process of its own, in a network whose proxy opens TLS and shows a
 * certificate of its own. The functions find every other server by the proxy alone: the names of these servers are made up.
 */

const years = { from: new Date('2020-01-01T00:00:00Z'), until: new Date('2049-12-31T00:00:00Z') };
/** What the proxy shows for every server. */
const authority = selfSigned({ host: '*.hospital.example', ...years });
/** The hospital's own mail server, which mail reaches without the proxy. */
const mailServer = selfSigned({ host: 'localhost', ...years });
const hosts = {
  catalogue: 'catalogue.hospital.example',
  login: 'login.hospital.example',
  people: 'people.hospital.example',
  hooks: 'hooks.hospital.example',
} as const;
const functions = ['poll', 'sweep', 'prove', 'notify', 'page'] as const;
const folder = newFolder();
/** The file of the layer. */
let certificates: string;

beforeAll(async () => {
  certificates = layerFile();
  for (const name of functions) {
    for (const options of functionBundles(`lambdas/functions/${name}/handler.ts`, join(folder, name)))
      await build(options);
  }
});

test('behind a proxy that inspects TLS, each function reaches its servers by the certificates of the layer', async () => {
  const hospital = await openHospital();
  const trusting = { NODE_EXTRA_CA_CERTS: certificates };
  for (const name of ['poll', 'sweep', 'prove'] as const) {
    expect(await hospital.run(name, {}, trusting)).toMatchObject({ outcome: expect.any(String) });
    const panel = name === 'prove' ? [expect.stringMatching(/^GET \/api\/v1\/panels\/\d+\//)] : [];
    expect(hospital.seenBy(hosts.catalogue)).toEqual(expect.arrayContaining(panel));
    expect(hospital.takeSeen()).toEqual(new Set([hosts.catalogue, hosts.login]));
  }
  const { trials } = (await hospital.run('notify', { send: 'trial' }, trusting)) as Trials;
  expect(trials.filter(({ sent }) => !sent)).toEqual([]);
  expect(trials).toHaveLength(chatWebhooks.length + 2);
  expect([hospital.takeSeen(), hospital.mails]).toEqual([new Set([hosts.hooks]), 1]);
  const signIn = await httpApiEvent(new Request('https://page.hospital.example/sign-in'));
  expect(await hospital.run('page', signIn, trusting)).toMatchObject({
    statusCode: 302,
    headers: { location: expect.stringContaining(`https://${hosts.people}/authorize?`) },
  });
  expect(hospital.takeSeen()).toEqual(new Set([hosts.people]));
});

test('without the layer, each function refuses the certificate', async () => {
  const hospital = await openHospital();
  // A proof asks for the panels that were listed.
  for (const name of ['poll', 'sweep'] as const)
    await hospital.run(name, {}, { NODE_EXTRA_CA_CERTS: certificates });
  hospital.takeSeen();
  for (const name of ['poll', 'sweep', 'prove'] as const)
    expect(await hospital.run(name, {}, {})).toMatchObject({
      failed: expect.stringMatching(/_CERTIFICATE_REFUSED/),
    });
  const { trials } = (await hospital.run('notify', { send: 'trial' }, {})) as Trials;
  expect(trials.filter(({ sent }) => sent)).toEqual([]);
  const signIn = await httpApiEvent(new Request('https://page.hospital.example/sign-in'));
  expect(await hospital.run('page', signIn, {})).not.toMatchObject({ statusCode: 302 });
  expect([hospital.takeSeen(), hospital.mails]).toEqual([new Set(), 0]);
});

interface Trials {
  readonly trials: readonly { readonly channel: string; readonly sent: boolean; readonly text: string }[];
}

/** The file of the layer, as synthesis makes it of a file that holds a key too. */
function layerFile(): string {
  const given = join(folder, 'hospital-ca.pem');
  writeFileSync(given, `${authority.key}${authority.cert}${mailServer.cert}`);
  const outdir = join(folder, 'cdk.out');
  const app = new App({ outdir });
  const stack = new Stack(app, 'Stack');
  certificatesLayer(stack, given);
  const { artifacts } = JSON.parse(readFileSync(join(app.synth().directory, 'manifest.json'), 'utf8'));
  const { files } = JSON.parse(
    readFileSync(join(outdir, artifacts['Stack.assets'].properties.file), 'utf8'),
  ) as {
    readonly files: Readonly<
      Record<string, { readonly source: { readonly path: string; readonly packaging: string } }>
    >;
  };
  const [layer] = Object.values(files).filter(({ source }) => source.packaging === 'zip');
  const file = join(outdir, layer?.source.path ?? '', 'certificates.pem');
  expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE KEY');
  return file;
}

/** A hospital with its proxy and its mail server, and everything that the functions ask. */
async function openHospital() {
  const login = await startIdentityProvider({ clock, tenants });
  const catalogue = await startCatalogue({ clock, history: 20, ties: 'fixed' });
  const hooks = await serve((response) => response.end('ok'));
  const issuer = `https://${hosts.people}`;
  const people = await serve((response) =>
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      }),
    ),
  );
  const proxy = await startInspectingProxy(
    authority,
    new Map([
      [hosts.catalogue, new URL(catalogue.url).origin],
      [hosts.login, new URL(login.authUrl).origin],
      [hosts.people, people.url],
      [hosts.hooks, hooks.url],
    ]),
  );
  onTestFinished(proxy.close);
  let mails = 0;
  const mail = new SMTPServer({
    ...mailServer,
    secure: true,
    authOptional: true,
    onData(stream, _session, done) {
      stream.resume().on('end', () => {
        mails += 1;
        done();
      });
    },
  });
  // A client that refuses the certificate ends the connection.
  mail.on('error', () => {});
  await once(mail.listen(0, '127.0.0.1'), 'listening');
  const table = await openLocalTable();
  await createHistoryTable(table.dynamodb);
  const secrets = await startSecretsManager();
  const sns = await startSnsEndpoint({ topics, keep: false, onMessage: () => {} });
  onTestFinished(async () => {
    await Promise.all([login, catalogue, table, secrets, sns].map((each) => each.close()));
    await new Promise<void>((resolve) => mail.close(() => resolve()));
  });
  const [client_secret] = decisionSupport.secrets;
  secrets.secrets.set('catalogue', JSON.stringify({ client_id: decisionSupport.clientId, client_secret }));
  const addresses = [...chatWebhooks, 'webhook'].map((kind) => [kind, `https://${hosts.hooks}/${kind}`]);
  secrets.secrets.set('channels', JSON.stringify(Object.fromEntries(addresses)));
  secrets.secrets.set('sessions', 'a text of forty characters, for sessions');
  const plan: NotifyPlan = {
    prefix: 'genes',
    catalogues: ['uk'],
    subscriptions: [],
    operations: {
      zone: 'Europe/London',
      channels: [
        ...[...chatWebhooks, 'webhook'].map((kind) => ({ kind, webhook: kind, privacy: everythingKept })),
        { kind: 'smtp', to: ['lab@hospital.example'], privacy: everythingKept },
      ] as unknown as NotifyPlan['operations']['channels'],
    },
    mailRelay: {
      host: 'localhost',
      port: (mail.server.address() as AddressInfo).port,
      security: 'tls',
      from: 'panels@hospital.example',
    },
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const pagePlan = {
    stage: 'hospital',
    catalogues: ['uk'],
    zone: 'Europe/London',
    signIn: {
      provider: { issuer, clientId: 'page' },
      roles: { claim: 'roles', reader: ['readers'] },
    },
    worklist: null,
  } as unknown as PagePlan;
  cpSync('page/browser', join(folder, 'page', 'browser'), { recursive: true });
  writeFileSync(join(folder, 'page', 'page.json'), JSON.stringify(pagePlan));
  const environment = {
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ENDPOINT_URL_SNS: sns.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    HTTPS_PROXY: proxy.url,
    METRICS_NAMESPACE: 'GenePanelNotifier',
    TABLE_NAME: table.table,
    HISTORY_TABLE_NAME: 'history',
  };
  const reader = {
    CATALOGUE_NAME: 'uk',
    CATALOGUE_URL: `https://${hosts.catalogue}/api/v1/`,
    ACCESS: 'client-credentials',
    SECRET_ID: 'catalogue',
    AUTH_URL: `https://${hosts.login}/`,
    TENANT_ID: tenants['non-production'].id,
    TOPIC_ARNS: JSON.stringify(sns.topicArns),
    OVERLAP_MINUTES: '15',
    FOLLOWED_PANELS: JSON.stringify({ panels: [], types: [], codes: [] }),
    SHRUNKEN_PERCENT: '20',
    SAME_CHANGE_PERCENT: '20',
    PANEL_STATES: JSON.stringify({ secondsBetween: 0, requestsPerDay: 2 }),
  };
  const own: Readonly<Record<(typeof functions)[number], Readonly<Record<string, string>>>> = {
    poll: reader,
    sweep: reader,
    prove: reader,
    notify: {
      PLAN_FILE: join(folder, 'plan.json'),
      TOPIC_PREFIX: 'arn:aws:sns:eu-west-2:123456789012:genes-',
      DEAD_LETTER_QUEUE: 'https://sqs.eu-west-2.amazonaws.com/123456789012/dead',
      SECRET_ID: 'channels',
    },
    page: {
      PEOPLE_TABLE_NAME: table.table,
      PAGE_ADDRESS: 'https://page.hospital.example',
      PAGE_FOLDER: join(folder, 'page'),
      SESSION_KEY_ID: 'sessions',
      // Node's own requests take the proxy by these, as the deployment sets them.
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '.amazonaws.com,127.0.0.1',
    },
  };
  /** One run of a bundle in a process of its own: what its handler returns, or the message that it failed with. */
  const run = async (
    name: (typeof functions)[number],
    event: object,
    trusted: Readonly<Record<string, string>>,
  ): Promise<object> => {
    const { NODE_EXTRA_CA_CERTS: _, ...outer } = process.env;
    const script = `
      const { handler } = await import(${JSON.stringify(join(folder, name, 'index.js'))});
      const context = { awsRequestId: ${JSON.stringify(name)}, getRemainingTimeInMillis: () => 600000 };
      const result = await handler(${JSON.stringify(event)}, context).catch((error) => ({ failed: error.code + ' ' + error.message }));
      console.log('\\nresult:' + JSON.stringify(result));
      process.exit(0);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...outer, ...environment, ...own[name], ...trusted, TMPDIR: folder },
    });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    const [, result] = /^result:(.*)$/m.exec(stdout) ?? [];
    if (result === undefined)
      throw new Error(`${name} returned nothing: ${stdout}${/\w*Error: .*$/m.exec(stderr)?.[0]}`);
    return JSON.parse(result);
  };
  return {
    run,
    get mails() {
      return mails;
    },
    seenBy: (host: string) => proxy.seen.flatMap((one) => (one.host === host ? [one.request] : [])),
    takeSeen: () => new Set(proxy.seen.splice(0).map(({ host }) => host)),
  };
}
