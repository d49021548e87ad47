import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readPage } from '../docs/pages.ts';
import { pageAddress, run, succeed, whileServing } from './processes.ts';
import { consumer, trial, trialPrints } from './programs.ts';

/** The commands of guides, word for word, with each Node that a reader may have. */

/** The oldest Node that the command takes is 22.19; the package of events and the construct take 20. */
const versions = ['20.20.2', '22.19.0', '24.21.0'];

interface InstalledNode {
  readonly version: string;
  readonly major: number;
  /** The folder of the program `node`. */
  readonly bin: string;
}

/** Installs each Node from the registry. */
export function installNodes(work: string): readonly InstalledNode[] {
  return versions.map((version) => {
    const folder = join(work, `node-${version}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const name = `node-linux-${process.arch}`;
    succeed(folder, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `${name}@${version}`]);
    return {
      version,
      major: Number.parseInt(version, 10),
      bin: join(folder, 'node_modules', name, 'bin'),
    };
  });
}

/** The environment of a terminal in which this Node is the only one. */
function environmentOf({ bin, version }: InstalledNode): NodeJS.ProcessEnv {
  const others = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));
  const env = {
    ...process.env,
    PATH: [bin, ...others].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    NODE_COMPILE_CACHE: undefined,
  };
  assert.equal(succeed('/', ['node', '--version'], { env }).trim(), `v${version}`);
  return env;
}

/** The commands that a guide says to type, a line each; lines of a page that wants something else are an error. */
function commandsOf(page: string, begins: string): string {
  const block = readPage(`docs/guides/${page}`).blocks.find(
    ({ language, code }) => language === 'sh' && code.startsWith(begins),
  );
  if (block === undefined) throw new Error(`docs/guides/${page} has no commands that begin with ${begins}`);
  return block.code.trim();
}

/** Puts what a reader has in place of what the page can only name. */
function fillIn(commands: string, name: string, value: string): string {
  assert.ok(commands.includes(name), `"${commands}" names no ${name}`);
  return commands.replace(name, value);
}

interface ConsumerGuide {
  readonly folder: string;
  readonly tarball: string;
}

/** Installs `gene-panel-events` and tries the function of the guide. */
export function checkConsumerGuide(node: InstalledNode, { folder, tarball }: ConsumerGuide): void {
  const env = environmentOf(node);
  const type = (commands: string): string => succeed(folder, ['sh', '-ec', commands], { env });
  type(fillIn(commandsOf('consumer-typescript.md', 'npm init'), 'gene-panel-events', tarball));
  writeFileSync(join(folder, 'consumer.ts'), consumer);
  writeFileSync(join(folder, 'try.js'), trial);
  const { prose } = readPage('docs/guides/consumer-typescript.md');
  const tryIt = /`(npx tsc && node try\.js)`/.exec(prose)?.[1];
  assert.ok(tryIt !== undefined, 'the guide says how to try it');
  assert.equal(type(tryIt), trialPrints);
}

/** Installs the service of one machine as the guide does, with folders of its own in place of `/opt` and `/etc`. */
export function checkOneMachine(node: InstalledNode, { folder, tarball }: ConsumerGuide): void {
  const env = environmentOf(node);
  for (const path of ['opt', 'etc/systemd/system']) mkdirSync(join(folder, path), { recursive: true });
  const commands = readPage('docs/guides/one-machine.md')
    .blocks.filter(({ language, code }) => language === 'sh' && /\/opt\/|\/etc\//.test(code))
    .map(({ code }) =>
      code
        .replaceAll(/(?<= )\/(?=opt|etc)/g, `${folder}/`)
        .replace(/ gene-panel-notifier(?:@latest)?$/m, ` ${tarball}`)
        .replace(/^systemctl .*$/m, ''),
    );
  assert.equal(commands.length, 4);
  let at = folder;
  for (const block of commands) {
    // What follows is typed into it: a here-document, since a program cannot open the socket that a pipe of Node is.
    const typed = block.replace(/(?<=\/dev\/stdin .*)\n(.*)$/s, " <<'typed'\n$1typed\n");
    succeed(at, ['sh', '-ec', typed], { env });
    at = join(folder, 'opt', 'gene-panel-notifier');
  }
  const at600 = join(folder, 'etc', 'gene-panel-notifier', 'environment');
  assert.equal(statSync(at600).mode & 0o777, 0o600);
  assert.match(readFileSync(at600, 'utf8'), /^CATALOGUE_AUTHORIZATION=.*\nHTTPS_PROXY=.*\n$/);
  assert.ok(existsSync(join(folder, 'etc', 'systemd', 'system', 'gene-panel-notifier.service')));
  assert.match(succeed(at, ['npx', 'gene-panel-notifier', '--help'], { env }), /^Usage: /m);
}

interface FirstDay extends ConsumerGuide {
  /** The address of a catalogue to read. */
  readonly catalogue: string;
}

/** Installs the command, and goes through the first day as the guide does; a Node that is too old alone says so. */
export async function checkFirstDay(
  node: InstalledNode,
  { folder, tarball, catalogue }: FirstDay,
): Promise<void> {
  const env = environmentOf(node);
  const [, install = '', watch = '', ...day] = firstDayBlocks(new URL('/', catalogue).href);
  const ofPage = fillIn(install, '/path/to/gene-panel-notifier-0.2.0.tgz', tarball);
  // The page says to leave it out where Node is new enough.
  const own = node.major < 22 ? ofPage : fillIn(ofPage, ' node@24', '');
  succeed(folder, ['sh', '-ec', own], { env });
  if (node.major < 22) {
    const command = ['node', 'node_modules/gene-panel-notifier/bin/gene-panel-notifier.js', 'watch'];
    const { status, stderr } = run(folder, command, { env });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^gene-panel-notifier: this is Node 20\.\S+; it needs Node 22\.19.* npm install node@24\n$/,
    );
  }
  await whileServing(['sh', '-ec', watch], { address: pageAddress, cwd: folder, env }, async (url) => {
    assert.equal((await fetch(url)).status, 200);
    goThroughDay(day, (command) => run(folder, ['sh', '-ec', command], { env }), folder);
  });
}

/** The blocks of the first day, in order: files, and what is typed at the made-up catalogue. */
const firstDayBlocks = (catalogue: string): readonly string[] =>
  readPage('docs/guides/first-day.md').blocks.map(({ language, code }) =>
    language === 'csv' ? code : code.trim().replaceAll('https://panelapp-aus.org', catalogue),
  );

/** The id of the entry that the guide decides about. */
const SHOWN_ENTRY = 'b767bd6b71fa';

/** Types what follows `watch`; the made-up catalogue has other entries than the guide shows. */
function goThroughDay(
  [cases = '', impact = '', list = '', decisions = '', report = '']: readonly string[],
  type: (command: string) => ReturnType<typeof run>,
  folder: string,
): void {
  const typed = (command: string, statuses: readonly number[] = [0]): string => {
    const { status, stdout, stderr } = type(command);
    assert.ok(statuses.includes(status ?? -1), `${command} ended with ${status}:\n${stdout}\n${stderr}`);
    return stdout;
  };
  writeFileSync(join(folder, 'cases.csv'), cases);
  assert.match(typed(impact, [0, 4]), /^2 cases compared with the newest version of their panels/);
  let entry: string | undefined;
  // The first poll may still read.
  for (let looks = 0; entry === undefined && looks < 100; looks++)
    [, entry] = /^([0-9a-f]{12}) /m.exec(typed(list, [0, 3])) ?? [];
  assert.ok(entry !== undefined, 'the worklist has an entry');
  assert.equal(decisions.split(SHOWN_ENTRY).length, 3);
  typed(decisions.replaceAll(SHOWN_ENTRY, entry));
  typed(report);
  const page = readFileSync(join(folder, 'worklist.html'), 'utf8');
  for (const words of ['2 cases, MDT of 23 November', 'Ann Example', 'Asked the clinic'])
    assert.ok(page.includes(words), `the report has no “${words}”`);
}
