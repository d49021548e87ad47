import { cataloguesIn } from '../../lambdas/store/sqlite-file.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, type OptionValues, text } from '../declare-command.ts';
import { placeOptions } from '../history-options.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import { pageAccessOptions, readTls } from '../page-access.ts';
import { readPort } from '../page-options.ts';
import { checkTree, exportTree, readOrigin, treeOptions } from '../relay/tree-options.ts';
import { openRelay, RELAY_PORT } from '../relay-options.ts';
import { untilAborted } from '../until-aborted.ts';

const options = {
  state: placeOptions.state,
  port: text('N', `the port of the relay; 0: a free one (default: ${RELAY_PORT})`),
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
  const port = readPort(values.port);
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
      { port, host: values.listen, tls, ...(origin !== undefined && { origin }) },
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

/** @throws {UsageError} when options do not go together */
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
