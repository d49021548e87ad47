import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import type { PageOptions } from '../../page/route-context.ts';
import { loopbackAccess } from '../../page/sign-in/access.ts';

/** The time at which the pages of these tests are read. */
export const NOW = '2026-11-21T12:00:00Z';

export interface OpenedPage {
  readonly file: StateFile;
  /** Requests an address as a browser on this machine does. */
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The text of an address that is found. */
  text(address: string): Promise<string>;
  request(request: Request): Promise<Response>;
  append(...events: readonly PanelEvent[]): Promise<void>;
  /** Wakes everything that sleeps. */
  wake(): void;
  close(): void;
}

/** A page over a history in memory; its clock stands still. */
export async function openPage(
  events: readonly PanelEvent[] = [],
  { as, ...options }: Partial<Pick<PageOptions, 'zone' | 'record'>> & { readonly as?: string } = {},
): Promise<OpenedPage> {
  const file = openStateFile();
  const history = createSqliteHistory(file);
  const closing = new AbortController();
  const sleepers = new Set<() => void>();
  const clock = {
    now: () => Date.parse(NOW),
    random: () => 0.5,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.add(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (signal?.aborted) reject(signal.reason);
      }),
  };
  const request = answerRequests(
    { file, clock, zone: 'Europe/London', signal: closing.signal, ...options },
    loopbackAccess(as),
  );
  const append = async (...added: readonly PanelEvent[]): Promise<void> => {
    const until = parseInstant(NOW) ?? 0n;
    await history.append(
      added.map((event) => toMessage(event)),
      { catalogue: 'uk', since: until - 1n, until },
    );
  };
  await append(...events);
  const get: OpenedPage['get'] = (address, headers = {}) =>
    request(
      new Request(new URL(address, 'http://127.0.0.1:7208/'), {
        headers: { host: '127.0.0.1:7208', ...headers },
      }),
    );
  return {
    file,
    get,
    request,
    append,
    async text(address) {
      const response = await get(address);
      if (response.status !== 200)
        throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
      return response.text();
    },
    wake() {
      for (const resolve of sleepers) resolve();
      sleepers.clear();
    },
    close() {
      closing.abort(new Error('the test ended'));
      file.close();
    },
  };
}

/** The ids of the events that a page lists, in their order. */
export const listed = (html: string): readonly string[] =>
  [...html.matchAll(/<a class="open[^"]*" id="e-([0-9a-f]+)"/g)].map(([, id = '']) => id);
