import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { basicReadings } from '../../sandbox/identity/client-authentication.ts';
import { startFamily } from '../../sandbox/interpretation/family.ts';
import { type Certificate, selfSigned } from '../../sandbox/tls/self-signed.ts';
import { readChoice, readDuration, readOptions, readWholeNumber } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { untilAborted } from '../until-aborted.ts';

const usage = `
gene-panel-notifier sandbox [options]

Serves a gene panel catalogue on this machine: a made-up one in which curators act, or saved pages. With --family it also
serves an identity provider and the applications of the interpretation API family. It prints addresses and
credentials as environment variables. Requests to /sandbox/ change it while it runs (docs/sandbox.md). Ctrl-C stops it.

Options:
  --port N               port of the catalogue; the family uses the next seven (default: free ports)
  --page-size N          the rows of a page (default: 100)
  --zone utc|sydney      the time zone of the rows' times (default: utc)
  --tls                  serve over TLS, with a certificate made at the start; its file is printed
  --ties redrawn|fixed   the order of rows with equal times: new at each request, or always the same (default: redrawn)

Panels, their versions and the sign-offs, besides the lists:
  --lists-only           answer 404 to all of them, like a catalogue that serves only its lists
  --sign-offs last|every what /panels/signedoff/ lists of a panel: its last sign-off or each (default: last)

Made-up catalogue:
  --seed N               a number; the same number makes up the same catalogue (default: 1)
  --history N            about how many rows the log has at the start, up to 100000 (default: 400)
  --act-every SECONDS    about how often a curator acts: 90, or 15m; 0: never (default: 2)

Saved pages, instead of a made-up catalogue:
  --from DIR             directory with activities-page-001.json, panels-page-001.json, regions-page-001.json, …,
                         or with activities.json.gz, panels, regions, current, versions and signedoff (docs/sandbox.md)

Identity provider and interpretation API family:
  --family               serve them too
  --require-token        the catalogue requires a token of that identity provider
  --token-lifetime SECONDS
                         how long a token is valid: 5, or 15m (default: 3600)
  --basic both|raw|form  how to read the Basic header of a token request: client id and secret literally (raw),
                         percent-encoded (form), or either (default: both)
  --secret-in-body       accept client id and secret as form fields of a token request too

Exit codes: 0 stopped, 1 could not start, 2 wrong arguments.

Examples:
  gene-panel-notifier sandbox --port 8000
  gene-panel-notifier watch --catalogue http://127.0.0.1:8000
  gene-panel-notifier sandbox --family --require-token --token-lifetime 5
`;

/** The sandbox cannot listen on its port. */
class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'PORT_UNUSABLE';
}

async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    return await serve(args, io);
  } catch (cause) {
    const { code, port } = cause as NodeJS.ErrnoException & { readonly port?: number };
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause;
    const why = code === 'EACCES' ? 'this user has no right to use it' : 'another program uses it';
    throw new PortError(
      `Listening on port ${port}: ${why}. Choose another with --port, or leave --port out for a free one.`,
      { cause },
    );
  }
}

async function serve(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    from: { type: 'string' },
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    history: { type: 'string', default: '400' },
    'act-every': { type: 'string', default: '2' },
    zone: { type: 'string', default: 'utc' },
    'page-size': { type: 'string', default: '100' },
    ties: { type: 'string', default: 'redrawn' },
    'lists-only': { type: 'boolean', default: false },
    'sign-offs': { type: 'string', default: 'last' },
    family: { type: 'boolean', default: false },
    'require-token': { type: 'boolean', default: false },
    'token-lifetime': { type: 'string' },
    basic: { type: 'string' },
    'secret-in-body': { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
  });
  for (const option of ['require-token', 'token-lifetime', 'basic', 'secret-in-body'] as const) {
    if (values[option] && !values.family) throw new UsageError(`--${option} needs --family`);
  }
  const port = readWholeNumber('--port', values.port, { min: 0, max: 65_000 });
  const every = readDuration('--act-every', values['act-every'], { unit: 's', min: 0, max: 86_400 });
  const { clock } = io;
  const lifetime = Math.ceil(
    readDuration('--token-lifetime', values['token-lifetime'] ?? '3600', { unit: 's', min: 1, max: 86_400 }) /
      1000,
  );
  const basic = readChoice('--basic', values.basic ?? 'both', basicReadings);
  const next = port === 0 ? {} : { port: port + 1 };
  const tls = values.tls ? await writeCertificate(clock) : undefined;
  const secretInBody = values['secret-in-body'] ? 'accepted' : 'refused';
  const family = values.family
    ? await startFamily({ clock, lifetime, basic, secretInBody, tls: tls?.certificate, ...next })
    : undefined;
  try {
    const catalogue = await startCatalogue({
      clock,
      port,
      tls: tls?.certificate,
      seed: readWholeNumber('--seed', values.seed, { min: 0, max: 1e9 }),
      history: readWholeNumber('--history', values.history, { min: 0, max: 100_000 }),
      zone: readChoice('--zone', values.zone, ['utc', 'sydney']),
      pageSize: readWholeNumber('--page-size', values['page-size'], { min: 1, max: 10_000 }),
      ties: readChoice('--ties', values.ties, ['redrawn', 'fixed']),
      details: values['lists-only'] ? 'none' : 'served',
      signOffs: readChoice('--sign-offs', values['sign-offs'], ['last', 'every']),
      ...(values.from !== undefined && { from: values.from }),
      ...(every > 0 && { actEvery: [every / 2, (every * 3) / 2] as const }),
      ...(family && values['require-token'] && { authorise: family.authorise }),
    });
    try {
      io.stdout.write(
        [
          `CATALOGUE_URL=${catalogue.url}`,
          ...(family?.lines ?? []),
          ...(tls ? [`NODE_EXTRA_CA_CERTS=${tls.file}`] : []),
          '',
        ].join('\n'),
      );
      io.stderr.write('Serving until Ctrl-C.\n');
      await untilAborted(io.signal);
      return 0;
    } finally {
      await catalogue.close();
    }
  } finally {
    await family?.close();
    await tls?.remove();
  }
}

interface WrittenCertificate {
  readonly certificate: Certificate;
  readonly file: string;
  remove(): Promise<void>;
}

/** Makes a certificate for this machine, valid for a month, and writes it where programs can read it. */
async function writeCertificate({ now }: Clock): Promise<WrittenCertificate> {
  const day = 24 * 3600 * 1000;
  const certificate = selfSigned({
    host: 'localhost',
    from: new Date(now() - day),
    until: new Date(now() + 30 * day),
  });
  const directory = await mkdtemp(join(tmpdir(), 'gene-panel-sandbox-'));
  const file = join(directory, 'certificate.pem');
  await writeFile(file, certificate.cert);
  return { certificate, file, remove: () => rm(directory, { recursive: true, force: true }) };
}

export const command: Command = {
  name: 'sandbox',
  usage,
  run,
};
