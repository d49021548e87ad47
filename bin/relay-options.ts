import { createSqliteAnswers } from '../lambdas/panels/sqlite-answers.ts';
import { createRelay } from '../lambdas/questions/relay/relay.ts';
import type { RelaySource } from '../lambdas/questions/relay/relay-source.ts';
import { printable } from '../lambdas/run/printable.ts';
import { createSqliteRows } from '../lambdas/store/history/sqlite-rows.ts';
import { cataloguesIn, type StateFile } from '../lambdas/store/sqlite-file.ts';
import { listen, type Place, type Served } from '../page/listen.ts';
import type { Io } from './command.ts';
import { keptInFile } from './kept-proofs.ts';
import { serveAtPort } from './page-options.ts';

/** The relay's own port, so that its address stays the same from day to day. */
export const RELAY_PORT = 7209;

/** What a state file keeps of each catalogue that it follows by now, by name. */
export function relaySources(file: StateFile, clock: Io['clock']): () => ReadonlyMap<string, RelaySource> {
  const opened = new Map<string, RelaySource>();
  return () => {
    for (const catalogue of cataloguesIn(file)) {
      if (opened.has(catalogue)) continue;
      opened.set(catalogue, {
        ...keptInFile({ file, catalogue }, { clock }),
        answers: createSqliteAnswers(file, catalogue),
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
