import type { PageOptions } from '../page/route-context.ts';
import type { ServedPage } from '../page/serve-page.ts';
import { readWholeNumber } from './arguments.ts';
import { type Io, UsageError } from './command.ts';

/** The page's own port, so that its address stays the same from day to day. */
export const DEFAULT_PORT = 7208;

type PageSource = Pick<PageOptions, 'file' | 'record' | 'deployed'>;

/** @throws {UsageError} when the text is no port */
export function readPort(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readWholeNumber('--port', text, { min: 0, max: 65_535 });
}

/**
 * Serves the page and prints its address. Without a port, it uses the default one, or a free one where that is taken.
 * @throws {UsageError} when the given port cannot be used
 */
export async function openPage(source: PageSource, port: number | undefined, io: Io): Promise<ServedPage> {
  const { servePage } = await import('../page/serve-page.ts');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const options = { ...source, clock: io.clock, zone };
  const page = await servePage(options, port ?? DEFAULT_PORT).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    if (port === undefined) return servePage(options, 0);
    const why = error.code === 'EACCES' ? 'this account may not use it' : 'another program uses it';
    throw new UsageError(`--port ${port}: ${why}. Give another port, or 0 for a free one.`);
  });
  io.stderr.write(`Page: ${page.url}\n`);
  return page;
}
