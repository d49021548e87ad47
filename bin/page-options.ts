import type { Served } from '../page/listen.ts';
import type { PageOptions } from '../page/route-context.ts';
import type { Listening } from '../page/serve-page.ts';
import { readWholeNumber } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { text } from './declare-command.ts';

/** The page's own port, so that its address stays the same from day to day. */
const DEFAULT_PORT = 7208;

export const portOption = text(
  'N',
  `the port of the page; 0: a free one (default: ${DEFAULT_PORT}, or a free one where that is taken)`,
);

type PageSource = Pick<
  PageOptions,
  'file' | 'record' | 'relay' | 'deployed' | 'worklist' | 'audit' | 'notes' | 'cases' | 'pairs'
>;

/** @throws {UsageError} when the text is no port */
export function readPort(text: string | undefined, option = '--port'): number | undefined {
  return text === undefined ? undefined : readWholeNumber(option, text, { min: 0, max: 65_535 });
}

/**
 * Serves the page and prints its address. Without a port, it uses the default one, or on this machine alone a free one
 * where that is taken.
 * @param listening where it listens and who signs in, where that is not this machine alone
 * @throws {UsageError} when the given port or address cannot be used
 */
export async function openPage(
  source: PageSource,
  port: number | undefined,
  io: Io,
  listening: PageListening = {},
): Promise<Served> {
  const { servePage } = await import('../page/serve-page.ts');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const options = { ...source, clock: io.clock, zone };
  const page = await serveAtPort((chosen) => servePage(options, { ...listening, port: chosen }), {
    port,
    usual: DEFAULT_PORT,
    host: listening.host,
    mayMove: !listening.access,
  });
  const { access } = listening;
  io.stderr.write(`Page: ${access?.site.kind === 'address' ? access.site.address.href : page.url}\n`);
  if (access) io.stderr.write(`Listening on ${page.url}\n`);
  return page;
}

interface Port {
  readonly port: number | undefined;
  /** Where none is given. */
  readonly usual: number;
  readonly host?: string | undefined;
  /** Whether a free one is taken where the usual one is used. */
  readonly mayMove: boolean;
}

/**
 * Serves at a port.
 * @throws {UsageError} when the given port or address cannot be used
 */
export async function serveAtPort(
  serve: (port: number) => Promise<Served>,
  { port, usual, host, mayMove }: Port,
): Promise<Served> {
  return serve(port ?? usual).catch((error: NodeJS.ErrnoException) => {
    const why = refusals[error.code ?? ''];
    if (why === undefined) throw error;
    if (port === undefined && mayMove && error.code !== 'EADDRNOTAVAIL') return serve(0);
    const seen = error.code === 'EADDRNOTAVAIL' ? `--listen ${host}` : `--port ${port ?? usual}`;
    throw new UsageError(`${seen}: ${why}`);
  });
}

/** Where the page listens and who may read, apart from the port. */
export type PageListening = Omit<Listening, 'port'>;

const refusals: Readonly<Record<string, string>> = {
  EACCES: 'this account may not use it. Give another port, or 0 for a free one.',
  EADDRINUSE: 'another program uses it. Give another port, or 0 for a free one.',
  EADDRNOTAVAIL: 'this machine has no such address. Give one of its own, or 0.0.0.0 for all of them.',
};
