import { cataloguesIn } from '../../lambdas/store/sqlite-catalogues.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, type OptionValues, text } from '../declare-command.ts';
import { placeOptions } from '../history-options.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import { pageAccessOptions, readTls } from '../page-access.ts';
import { readPort } from '../page-options.ts';
import { openRelay, RELAY_PORT } from '../relay-options.ts';
import { untilAborted } from '../until-aborted.ts';

const options = {
  state: placeOptions.state,
  port: text('N', `the port of the relay; 0: a free one (default: ${RELAY_PORT})`),
  listen: text('ADDRESS', 'an address of this machine, or 0.0.0.0 for all of them (default: 127.0.0.1)'),
  certificate: pageAccessOptions.certificate,
  key: pageAccessOptions.key,
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const port = readPort(values.port);
  const tls = await readTls(values);
  const directory = values.state ?? defaultState;
  const file = openForReading(directory);
  try {
    if (cataloguesIn(file).length === 0)
      throw new UsageError(`${directory} follows no catalogue yet: run a poll or watch with it first`);
    const served = await openRelay(file, { port, host: values.listen, tls }, io);
    io.stderr.write(`Serving what ${directory} keeps (Ctrl-C stops)\n`);
    await untilAborted(io.signal);
    await served.close();
    return 0;
  } finally {
    file.close();
  }
}

export const command = declareCommand({
  name: 'relay',
  synopsis: ['[--state DIR] [options]'],
  about: [
    'Serves what watch or poll keep of a catalogue as the catalogue serves it, until Ctrl-C, so that tools read it here: as it is now, as it was at the end of a day, or with the signed-off versions (docs/guides/relay.md). The catalogue is asked for nothing; what was not read is answered with 503 and the reason.',
  ],
  options,
  exitCodes: '0 stopped, 1 could not start, 2 wrong arguments',
  examples: ['$0 relay', '$0 relay --state data --listen 0.0.0.0 --port 8080'],
  run,
});
