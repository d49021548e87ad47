import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** The files that git has or would take: what a clone of this state holds, with the dependencies that `npm ci` installs. */
export function bareCopy(checkout: string, folder: string): string {
  const files = succeed(checkout, ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'])
    .split('\0')
    .filter((file) => file !== '' && !/^(test|docs\/images)\//.test(file));
  assert.ok(files.length > 100);
  for (const file of files) cpSync(join(checkout, file), join(folder, file));
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  return folder;
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
    ({ language, code }) => language === '' && code.startsWith(begins),
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

interface FirstDay extends ConsumerGuide {
  /** The address of a catalogue to read. */
  readonly catalogue: string;
}

/** Installs the command, and watches the log as the guide does; where Node is too old, the command says so. */
export async function checkFirstDay(
  node: InstalledNode,
  { folder, tarball, catalogue }: FirstDay,
): Promise<void> {
  const env = environmentOf(node);
  const install = commandsOf('first-day.md', 'npm init');
  succeed(folder, ['sh', '-ec', fillIn(install, '/path/to/gene-panel-notifier-0.2.0.tgz', tarball)], { env });
  const address = new URL('/', catalogue).href;
  const watch = fillIn(
    commandsOf('first-day.md', 'npx gene-panel-notifier watch'),
    'https://panelapp-aus.org',
    address,
  );
  if (node.major < 22) {
    const { status, stderr } = run(folder, ['sh', '-ec', watch], { env });
    assert.equal(status, 1);
    assert.match(stderr, /^gene-panel-notifier: this is Node 20\.\S+; it needs Node 22\.19.*\n$/);
    return;
  }
  await whileServing(['sh', '-ec', watch], { address: pageAddress, cwd: folder, env }, async (url) => {
    const page = await fetch(url);
    assert.equal(page.status, 200);
  });
}
