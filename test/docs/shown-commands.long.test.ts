import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { type Family, startFamily } from '../../sandbox/interpretation/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { freePort } from '../aws/emulator.ts';
import { type Receivers, startReceivers } from '../aws/receivers.ts';
import { relayed } from '../bin/relayed.ts';
import { newFolder } from '../new-folder.ts';
import { readPage } from './pages.ts';
import { commandsOf, oneMachine, type ShellCommand } from './shell-commands.ts';
import { endsAsShown, type Ran, typeCommand } from './type-command.ts';

/**
 * Every command that the pages show for one machine, typed as it is shown, the pages in an order of chance over a catalogue of chance:
 * `FIRST_SEED=7 npm run test:long -- test/docs/shown-commands` gives another one.
 */

const seed = Number(process.env.FIRST_SEED ?? 1);
const root = newFolder();
let catalogue: RunningCatalogue;
let australia: RunningCatalogue;
/** The catalogue of the page on the sandbox, which the page breaks. */
let own: RunningCatalogue;
let family: Family;
let receivers: Receivers;

/** The folders in which a reader types: one catalogue, two, and some that a page begins itself. */
type Folder = 'one' | 'two' | 'talos' | 'sandbox' | 'laboratory' | 'identity';
const pathOf = (folder: Folder): string => join(root, folder);

function folderOf({ page, line }: ShellCommand): Folder {
  if (page.endsWith('talos.md')) return 'talos';
  if (page.endsWith('sandbox.md')) return 'sandbox';
  if (page.endsWith('identity.md')) return 'identity';
  if (page.endsWith('guides/messages.md')) return 'laboratory';
  return /compare uk australia|--name (?:uk|australia)\b/.test(line) ? 'two' : 'one';
}

/** What a reader has in place of what a page can only name. */
let entry = '';
let relayPort = 0;
/** The relay of folder `two`. */
let relayUrl = '';
const served = Promise.withResolvers<void>();
let relaying: Promise<unknown>;
const filledIn = ({ page, line }: ShellCommand): string =>
  line
    .replaceAll(/\b[0-9a-f]{12}\b/g, entry)
    .replace('http://relay.example.org:7209/uk/api/v1/', relayUrl)
    .replace('docker compose exec notifier gene-panel-notifier', 'npx gene-panel-notifier')
    .replaceAll(
      /https:\/\/(?:panelapp-aus|panels\.example)\.org|http:\/\/relay\.example\.org\/australia\/api\/v1\//g,
      line.includes('--name australia') ? australia.url : catalogue.url,
    )
    .replaceAll(
      'http://127.0.0.1:8000',
      page.endsWith('sandbox.md') ? new URL(own.url).origin : catalogue.url,
    )
    .replace('--port 8000', '--port 0')
    .replace('--relay-port 7209', `--relay-port ${relayPort}`)
    .replaceAll(/\/var\/lib\/gene-panel-notifier|--state \/data/g, (text) =>
      text.startsWith('--') ? '--state .gene-panel-notifier' : '.gene-panel-notifier',
    )
    .replaceAll('/backup/', `${root}/backup/`)
    // The history begins now.
    .replace('--as-of 2026-10-31T12:00:00Z', `--as-of ${new Date(clock.now()).toISOString()}`)
    .replace('https://login.example.org TENANT_ID=…', `${family.provider.authUrl} TENANT_ID=${tenant}`)
    .replace('<client_id>', decisionSupport.clientId)
    .replace(
      /https:\/\/interpretation\.example\.org\/api|https:\/\/…/,
      family.applications.urls['interpretation-api'],
    );
const tenant = tenants['non-production'].id;

/** What the terminal of a command knows. */
const environmentOf = (line: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [join(root, 'bin'), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
  // "AUTH_URL and the rest", and the address of a channel.
  ...(line.includes('--from-interpretation') && {
    AUTH_URL: family.provider.authUrl,
    TENANT_ID: tenant,
    CLIENT_ID: decisionSupport.clientId,
    CLIENT_SECRET: decisionSupport.secrets[0],
  }),
  ...(line.includes('--config notifier.config.ts') && { CHANNEL_LAB_SLACK: receivers.address('slack') }),
});
const type = (line: string, terminal: Omit<Parameters<typeof typeCommand>[1], 'env'>): Promise<Ran> =>
  typeCommand(line, { ...terminal, env: environmentOf(line) });

/** A block of settings in a page, with addresses of this machine. */
function settingsOf(page: string, begins: string): string {
  const block = readPage(page).blocks.find(({ code }) => code.startsWith(begins));
  if (block === undefined) throw new Error(`${page} has no settings that begin with ${begins}`);
  return block.code
    .replace('https://panelapp.genomicsengland.co.uk/api/v1/', catalogue.url)
    .replace('https://panelapp-aus.org/api/v1/', australia.url)
    .replace("host: 'smtp.example.org'", `host: '127.0.0.1', port: ${receivers.mailPort}, security: 'none'`);
}

async function poll(cwd: string, ...options: readonly string[]): Promise<void> {
  const read = await type(`npx gene-panel-notifier poll --from 90d ${options.join(' ')}`, { cwd });
  expect(read.code, read.output).toBe(0);
}

beforeAll(async () => {
  for (const name of ['bin', 'backup', 'one', 'two', 'talos', 'sandbox', 'laboratory', 'identity'])
    mkdirSync(join(root, name));
  const npx = join(root, 'bin', 'npx');
  writeFileSync(
    npx,
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${resolve('bin/gene-panel-notifier.js')}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  catalogue = await startCatalogue({ clock, history: 60, seed });
  australia = await startCatalogue({ clock, history: 60, seed: seed + 1 });
  own = await startCatalogue({ clock, history: 60, seed });
  family = await startFamily({ clock });
  receivers = await startReceivers();
  relayPort = await freePort();

  writeFileSync(join(pathOf('one'), 'cases.csv'), 'case,panel,date\nA-1,R131,2026-10-12\n');
  writeFileSync(join(pathOf('one'), 'export.csv'), 'Lab No.,Test code,Date reported\n1,R131,13/10/2026\n');
  writeFileSync(join(pathOf('one'), 'mapping.json'), '{}');
  for (const folder of ['two', 'laboratory'] as const)
    symlinkSync(resolve('lib'), join(pathOf(folder), 'lib'), 'dir');
  writeFileSync(join(pathOf('laboratory'), 'lab.config.ts'), settingsOf('docs/guides/messages.md', 'import'));
  writeFileSync(join(pathOf('two'), 'notifier.config.ts'), settingsOf('docs/panel-states.md', 'import'));

  await poll(pathOf('one'), '--catalogue', catalogue.url);
  await poll(pathOf('two'), '--catalogue', catalogue.url, '--name', 'uk');
  await poll(pathOf('two'), '--catalogue', australia.url, '--name', 'australia');
  await new Promise<void>((starts, fails) => {
    const args = ['relay', '--state', join(pathOf('two'), '.gene-panel-notifier'), '--port', '0'];
    relaying = relayed(args, (url) => {
      relayUrl = url;
      starts();
      return served.promise;
    }).catch(fails);
  });
  const { output } = await type('npx gene-panel-notifier worklist', { cwd: pathOf('one') });
  [, entry = ''] = /^([0-9a-f]{12}) /m.exec(output) ?? [];
  expect(entry, output).not.toBe('');
});
afterAll(async () => {
  served.resolve();
  await relaying;
  await Promise.all([catalogue, australia, own, family].map((server) => server.close()));
  await receivers.stop();
});

/** The pages in an order of chance; the commands of a page follow each other. */
const random = seededRandom(seed);
const commands = commandsOf(oneMachine);
const pageAt = new Map([...new Set(commands.map(({ page }) => page))].map((page) => [page, random()]));
const inOrder = commands.toSorted(
  (one, other) => (pageAt.get(one.page) ?? 0) - (pageAt.get(other.page) ?? 0),
);

/** What a terminal keeps for the lines after it. */
const keeps = /^(?:export|read) /;

test.each(inOrder)('$page: $line', async (command) => {
  const { page, line } = command;
  const cwd = pathOf(folderOf(command));
  const earlier = commands.slice(0, commands.indexOf(command)).filter((one) => one.page === page);
  const before = earlier.filter((one) => keeps.test(one.line)).map(filledIn);
  const stdin = [...before, line].filter((one) => one.startsWith('read ')).length;
  const addresses = ['slack', 'teams'].map((place) => `${receivers.address(place)}\n`);
  const ran = await type(filledIn(command), {
    cwd,
    before,
    stdin: addresses.slice(0, stdin).join(''),
  });
  if (line.startsWith('openssl req')) await register(readFileSync(join(cwd, 'cert.pem'), 'utf8'));
  const asksFirst = / mark --set /.test(line) && !line.endsWith('--yes');
  expect(asksFirst ? ran.code === 2 : endsAsShown(ran), `${ran.code}: ${ran.output}`).toBe(true);
});

/** What the administrator of the identity provider does with the certificate. */
async function register(certificate: string): Promise<void> {
  const body = JSON.stringify({ client_id: decisionSupport.clientId, certificate });
  const address = new URL('/sandbox/certificates', family.provider.authUrl);
  const { status } = await fetch(address, { method: 'POST', body });
  expect(status).toBe(200);
}

test('the pages show such commands', () => {
  expect(inOrder.length).toBeGreaterThan(60);
});
