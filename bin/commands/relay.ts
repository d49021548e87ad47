import type { KeyObject } from 'node:crypto';
import { keptInFile } from '../../lambdas/panels/sqlite-panel-states.ts';
import { readPastTime } from '../../lambdas/questions/options.ts';
import { createRelay } from '../../lambdas/questions/relay/relay.ts';
import { NotRead, type RelaySource } from '../../lambdas/questions/relay/shown-panels.ts';
import { signingKeyIn, type WrittenCatalogue, writeTree } from '../../lambdas/questions/relay/write-tree.ts';
import { formatInstant } from '../../lambdas/run/instant.ts';
import { counted, printable } from '../../lambdas/run/text.ts';
import { createSqliteRows } from '../../lambdas/store/history/kept-rows.ts';
import { makeDirectory } from '../../lambdas/store/own-files.ts';
import { cataloguesIn, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { listen, type Place, type Served } from '../../page/listen.ts';
import { InputError, readInput } from '../arguments.ts';
import { type Io, LocalStateError, UsageError, untilAborted, unwritable } from '../command.ts';
import { declareCommand, flag, inSection, type OptionValues, text, value } from '../declare-command.ts';
import { placeOptions } from '../history-options.ts';
import { defaultState, openForReading, openLock } from '../local/open-state.ts';
import { pageAccessOptions, port, readTls, serveAtPort } from '../page-access.ts';
import { openTreeInFolder, readPublicKey, verifyTree } from '../relay/tree-in-folder.ts';

/** The relay's own port, so that its address stays the same from day to day. */
const RELAY_PORT = 7209;

function relaySources(file: StateFile, clock: Io['clock']): () => ReadonlyMap<string, RelaySource> {
  const opened = new Map<string, RelaySource>();
  return () => {
    for (const catalogue of cataloguesIn(file)) {
      if (opened.has(catalogue)) continue;
      opened.set(catalogue, {
        ...keptInFile(file, catalogue, clock),
        rows: createSqliteRows(file, catalogue),
      });
    }
    return opened;
  };
}

interface RelayPlace extends Omit<Place, 'port'> {
  readonly port: number | undefined;
  /** The address that clients use, behind a proxy: `https://relay.example.org`. */
  readonly origin?: string;
}

/**
 * Serves the catalogues of a state file as they answered, and prints the address. One that is followed later is served from then on.
 * @throws {UsageError} when the port or address cannot be used
 */
export async function openRelay(
  file: StateFile,
  { port, host, tls, origin }: RelayPlace,
  { clock, stderr }: Pick<Io, 'clock' | 'stderr'>,
): Promise<Served> {
  const sources = relaySources(file, clock);
  let said = '';
  const answer = createRelay({
    sources,
    now: clock.now,
    origin,
    onUnreadable({ message }) {
      // Once, not at each request that it fails.
      if (message !== said) stderr.write(`${printable(message)}\n`);
      said = message;
    },
  });
  const served = await serveAtPort((chosen) => listen(answer, { port: chosen, host, tls }), {
    port,
    usual: RELAY_PORT,
    host,
    mayMove: false,
  });
  stderr.write(`Relay: ${served.url}\n`);
  const address = origin === undefined ? served.url : `${origin}/`;
  for (const name of sources().keys()) stderr.write(`Catalogue ${name}: ${address}${name}/api/v1/\n`);
  return served;
}

const treeOptions = inSection(
  {
    heading: 'As files',
    note: 'A key is made by: openssl genpkey -algorithm ed25519 -out key.pem',
  },
  {
    export: text('DIR', 'write what the relay answers as files into DIR, and stop'),
    'signing-key': text('FILE', 'with --export, the private Ed25519 key that signs them, as PEM'),
    from: value(
      'DAY',
      'with --export, the first past day (default: those since the last export)',
      readPastTime,
    ),
    versions: flag(
      'with --export, also the past versions of panels: megabytes for each version of a large panel',
    ),
    verify: text('DIR', 'check every file of an exported tree, or of a copy, and stop'),
    'public-key': text('FILE', 'with --verify, the key of whoever publishes the tree, as PEM'),
  },
);

type TreeValues = OptionValues<typeof treeOptions> & { readonly address?: string | undefined };

/** So much of what was not read is named; all of it is in `relay.json`. */
const MOST_NAMED = 10;

async function exportTree(
  directory: string,
  { file, values, io }: { readonly file: StateFile; readonly values: TreeValues; readonly io: Io },
): Promise<number> {
  if (values.address === undefined)
    throw new UsageError(
      '--export: expected --address, where the files will be served, such as https://relay.example.org',
    );
  const origin = readOrigin(values.address);
  const key = await readSigningKey(values['signing-key'], io);
  const from = values.from === undefined ? undefined : formatInstant(values.from).slice(0, 10);
  makeDirectory(directory, 0o777);
  const lock = openLock(directory, 'writing a tree', io);
  try {
    lock.demand();
    const written = await writeTree(await openTreeInFolder(directory), {
      sources: relaySources(file, io.clock)(),
      origin,
      key,
      from,
      versions: values.versions,
    });
    for (const [catalogue, one] of written)
      for (const line of describe(catalogue, one)) io.stderr.write(`${printable(line)}\n`);
    return [...written.values()].some(({ missing }) => missing.length > 0) ? 4 : 0;
  } catch (error) {
    if (error instanceof NotRead)
      throw new LocalStateError(
        `Writing the tree in ${directory}: ${error.message}. The tree stays as it was: run the command again once watch has read all panels.`,
        { cause: error },
      );
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw unwritable(directory, error);
    throw error;
  } finally {
    lock.close();
  }
}

function describe(
  catalogue: string,
  { asOf, files, changed, newDays, missing }: WrittenCatalogue,
): readonly string[] {
  const days = newDays.length === 0 ? 'no new day' : `new: ${newDays.join(', ')}`;
  const lines = [
    `Catalogue ${catalogue} as of ${asOf}: ${counted(files, 'file')}, ${changed} of them changed; past days: ${days}`,
    ...missing.slice(0, MOST_NAMED).map(({ address, why }) => `Not in the files: ${address}: ${why}`),
  ];
  if (missing.length > MOST_NAMED)
    lines.push(`Not in the files: ${missing.length - MOST_NAMED} more, which relay.json names`);
  return lines;
}

function readOrigin(address: string): string {
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username)
    return url.origin;
  throw new UsageError(
    `--address ${JSON.stringify(address)}: expected the root of a server, such as https://relay.example.org`,
  );
}

async function readSigningKey(path: string | undefined, io: Io): Promise<KeyObject> {
  if (path === undefined)
    throw new UsageError(
      '--export: expected --signing-key with a private Ed25519 key; the help says how to make one',
    );
  const { name, text: pem } = await readInput(path, io);
  const key = signingKeyIn(pem);
  if (key) return key;
  throw new InputError(`Reading ${name}: it is no private Ed25519 key in PEM form.`);
}

async function checkTree(directory: string, values: TreeValues, io: Io): Promise<number> {
  const path = values['public-key'];
  const given = path === undefined ? null : readPublicKey((await readInput(path, io)).text, path);
  const { files, fingerprint, problems, isBeingWritten } = await verifyTree(directory, given);
  for (const problem of problems.slice(0, MOST_NAMED)) io.stderr.write(`${printable(problem)}\n`);
  if (problems.length > 0) {
    io.stderr.write(`${directory} is not as it was signed: ${counted(problems.length, 'difference')}\n`);
    return 1;
  }
  const by = given ? `the key in ${path}` : `the key that lies in it`;
  io.stdout.write(`${counted(files, 'file')} of ${directory} are as they were signed by ${by}\n`);
  if (isBeingWritten)
    io.stdout.write(
      'They are of more than one signed tree: it was copied while it was written, or writing it ended early\n',
    );
  if (!given)
    io.stdout.write(
      `Fingerprint of that key: ${fingerprint}\nAnybody may have put it there: compare it with what the publisher names, or give --public-key\n`,
    );
  return 0;
}

const options = {
  state: placeOptions.state,
  port: value('N', `the port of the relay; 0: a free one (default: ${RELAY_PORT})`, port),
  listen: text('ADDRESS', 'an address of this machine, or 0.0.0.0 for all of them (default: 127.0.0.1)'),
  address: text(
    'URL',
    'the address that clients use, behind a proxy, or where files will be served: https://relay.example.org',
  ),
  certificate: pageAccessOptions.certificate,
  key: pageAccessOptions.key,
  ...treeOptions,
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  checkTogether(values);
  if (values.verify !== undefined) return checkTree(values.verify, values, io);
  const tls = await readTls(values);
  const origin = values.address === undefined ? undefined : readOrigin(values.address);
  const directory = values.state ?? defaultState;
  const file = openForReading(directory);
  try {
    if (cataloguesIn(file).length === 0)
      throw new UsageError(`${directory} follows no catalogue yet: run a poll or watch with it first`);
    if (values.export !== undefined) return await exportTree(values.export, { file, values, io });
    const served = await openRelay(
      file,
      { port: values.port, host: values.listen, tls, ...(origin !== undefined && { origin }) },
      io,
    );
    io.stderr.write(`Serving what ${directory} keeps (Ctrl-C stops)\n`);
    await untilAborted(io.signal);
    await served.close();
    return 0;
  } finally {
    file.close();
  }
}

/** The options that each of the three ways to run it takes; serving is the one without a name. */
const taken: Readonly<Record<'export' | 'verify' | 'serve', readonly (keyof typeof options)[]>> = {
  export: ['state', 'export', 'address', 'signing-key', 'from', 'versions'],
  verify: ['verify', 'public-key'],
  serve: ['state', 'port', 'listen', 'address', 'certificate', 'key'],
};

function checkTogether(values: OptionValues<typeof options>): void {
  const way = values.verify !== undefined ? 'verify' : values.export !== undefined ? 'export' : 'serve';
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== false && !taken[way].some((one) => one === name))
      throw new UsageError(
        way === 'serve' ? `--${name} goes with --export or --verify` : `--${name} does not go with --${way}`,
      );
}

export const command = declareCommand({
  name: 'relay',
  synopsis: [
    '[--state DIR] [options]',
    '--export DIR --address URL --signing-key FILE [--state DIR] [options]',
    '--verify DIR [--public-key FILE]',
  ],
  about: [
    'Serves what watch or poll keep of a catalogue as the catalogue serves it, until Ctrl-C, so that tools read it here: as it is now, as it was at the end of a day, or with the signed-off versions (docs/guides/relay.md). The catalogue is asked for nothing; what was not read is answered with 503 and the reason.',
    'With --export, writes the same as files for any web server, signed, and only what changed since the last time.',
  ],
  options,
  exitCodes:
    '0 stopped, or done; 1 could not start, nothing was written, or the tree does not verify; 2 wrong arguments; 4 written, without what was not read',
  examples: [
    '$0 relay',
    '$0 relay --state data --listen 0.0.0.0 --port 8080',
    '$0 relay --export /srv/relay --address https://relay.example.org --signing-key key.pem',
    '$0 relay --verify /srv/relay --public-key public-key.pem',
  ],
  run,
});
