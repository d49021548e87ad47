import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import { OptionError } from '../lambdas/questions/options.ts';
import { LONGEST_NAME } from '../lambdas/questions/worklist/worklist-record.ts';
import type { ItemStore } from '../lambdas/store/items.ts';
import type { Listening, Served } from '../page/listen.ts';
import type { PageOptions } from '../page/route-context.ts';
import { type Access, proxyAccess } from '../page/sign-in/access.ts';
import { type AccessSettings, accessSettingsSchema } from '../page/sign-in/access-settings.ts';
import { createPersonalNotes, openAuditLog, openPeopleFile } from '../page/sign-in/people-file.ts';
import {
  createOneTimeUses,
  createProgramTokens,
  createSessions,
  type Sessions,
} from '../page/sign-in/sessions.ts';
import { type Read, wholeNumber } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { type OptionValues, text, value } from './declare-command.ts';
import { logLines } from './terminal.ts';

/** The page's own port, so that its address stays the same from day to day. */
const DEFAULT_PORT = 7208;

/** The port of a server. */
export const port = wholeNumber({ min: 0, max: 65_535 });

export const portOption = value(
  'N',
  `the port of the page; 0: a free one (default: ${DEFAULT_PORT}, or a free one where that is taken)`,
  port,
);

type PageSource = Pick<
  PageOptions,
  'file' | 'record' | 'relay' | 'deployed' | 'worklist' | 'audit' | 'notes' | 'cases' | 'pairs'
>;

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
  const { servePage } = await import('../page/listen.ts');
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

/** The name under which somebody decides on this machine. */
const personName: Read<string> = (text) => {
  const name = text.trim();
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  throw new OptionError(text.slice(0, 80), `a name of up to ${LONGEST_NAME} characters`);
};

/** The options that say who may read the page, and where it listens. */
export const pageAccessOptions = {
  'sign-in': text(
    'FILE',
    'JSON: how a team signs in (docs/guides/team.md); without it, only this machine can open the page. PAGE_CLIENT_SECRET in the environment: the secret of the page at the identity provider',
  ),
  listen: text(
    'ADDRESS',
    'an address of this machine, or 0.0.0.0 for all of them (default: 127.0.0.1); needs --sign-in',
  ),
  certificate: text('FILE', 'PEM: serve HTTPS with this certificate and those that signed it; needs --key'),
  key: text('FILE', 'PEM: the private key of the certificate'),
  people: text('DIR', 'the folder for sessions and the audit log (default: page-people)'),
  as: value(
    'NAME',
    'without --sign-in: decide, comment and assign on the page under this name; whoever can use this machine can do so',
    personName,
  ),
};

type AccessValues = OptionValues<typeof pageAccessOptions>;

/** The folder for sessions and the audit log, where none is named. */
export const DEFAULT_PEOPLE = 'page-people';

/**
 * Reads who may read the page, and opens what is kept of people; without a sign-in, nothing is.
 * @throws {UsageError} when options do not go together
 * @throws {SettingsError | StateError} when a file cannot be used
 */
export async function openPageAccess(values: AccessValues, io: Io) {
  const { 'sign-in': file, listen: host } = values;
  const tls = await readTls(values);
  if (file === undefined) {
    const option = Object.keys(pageAccessOptions).find(
      (name) => name !== 'as' && values[name as keyof AccessValues] !== undefined,
    );
    if (option !== undefined) throw new UsageError(`--${option} goes with --sign-in only`);
    return { listening: { as: values.as }, close: () => {} };
  }
  if (values.as !== undefined) throw new UsageError('--as goes without --sign-in: who signs in has a name');
  const { parseSettings } = await import('../lib/read-settings.ts');
  const settings = parseSettings(await readJson(file), { schema: accessSettingsSchema, file });
  checkTransport(settings, { host, isTls: tls !== undefined });
  const secret = await readSecret(settings, io);
  const folder = values.people ?? DEFAULT_PEOPLE;
  const people = openPeopleFile(io.clock.now, folder);
  const audit = openAuditLog(folder, io.clock);
  const close = (): void => {
    audit.close();
    people.close();
  };
  // The code of a sign-in is a fifth of the page's.
  const [{ SIGNED_IN_PATH, signInAccess }, { createProvider }] = await Promise.all([
    import('../page/sign-in/sign-in-access.ts'),
    import('../page/sign-in/provider.ts'),
  ]);
  const access: Access = settings.provider
    ? signInAccess({
        settings,
        provider: createProvider({
          settings: settings.provider,
          secret,
          redirectUri: new URL(SIGNED_IN_PATH, settings.address).href,
          clock: io.clock,
        }),
        sessions: sessionsIn(people.items, settings, io),
        uses: createOneTimeUses(people.items),
        audit,
        clock: io.clock,
      })
    : proxyAccess(settings);
  const notes = createPersonalNotes(people.items, io.clock);
  const tokens = createProgramTokens(people.items, io.clock);
  return { listening: { access, host, tls }, people: { audit, notes, tokens }, close };
}

/** @throws {UsageError} when one of both is missing, or a file cannot be read */
export async function readTls({
  certificate,
  key,
}: Pick<AccessValues, 'certificate' | 'key'>): Promise<
  { readonly cert: string; readonly key: string } | undefined
> {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new UsageError('--certificate and --key go together');
  return { cert: await readText('--certificate', certificate), key: await readText('--key', key) };
}

const sessionsIn = (
  items: ItemStore,
  { sessionHours, idleMinutes }: Pick<AccessSettings, 'sessionHours' | 'idleMinutes'>,
  io: Io,
): Sessions =>
  createSessions(items, {
    clock: io.clock,
    longest: sessionHours * 3_600_000,
    idle: idleMinutes * 60_000,
    log: logLines(io),
  });

/** Passwords of sessions never go over a network in plain text. */
function checkTransport(
  { address, proxies }: AccessSettings,
  { host = '127.0.0.1', isTls }: { readonly host: string | undefined; readonly isTls: boolean },
): void {
  if (isTls && new URL(address).protocol !== 'https:') {
    throw new UsageError(`--certificate goes with an address that begins with https://; saw ${address}`);
  }
  const isOwn = isLoopback(host.includes(':') ? `[${host}]` : host);
  if (isOwn || isTls || proxies) return;
  throw new UsageError(
    `--listen ${host}: what is sent over the network must be encrypted. Give --certificate and --key, or name in the sign-in file the "proxies" that do so.`,
  );
}

async function readSecret({ provider }: AccessSettings, { env }: Pick<Io, 'env'>): Promise<string | null> {
  if (!provider) return null;
  if (provider.secretFile === undefined) return env.PAGE_CLIENT_SECRET ?? null;
  return (await readText('provider.secretFile', provider.secretFile)).trim();
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText('--sign-in', file);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const { SettingsError } = await import('../lib/read-settings.ts');
    throw new SettingsError(
      `${file} cannot be read as JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

async function readText(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const seen = code === 'ENOENT' ? 'there is no such file' : code;
    const { SettingsError } = await import('../lib/read-settings.ts');
    throw new SettingsError(`Reading ${what} ${join(file)}: ${seen}`, { cause });
  }
}
