import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { selfSigned } from '../../sandbox/http.ts';
import { basicReadings } from '../../sandbox/identity/client-authentication.ts';
import { startFamily } from '../../sandbox/interpretation/start.ts';
import { duration, oneOf, wholeNumber } from '../arguments.ts';
import { type Io, UsageError, untilAborted } from '../command.ts';
import { declareCommand, flag, inSection, type OptionValues, text, value } from '../declare-command.ts';

class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'PORT_UNUSABLE';
}

const options = {
  port: value(
    'N',
    'port of the catalogue; the family uses the next seven; 0: free ones',
    wholeNumber({ min: 0, max: 65_000 }),
    '0',
  ),
  'page-size': value('N', 'the rows of a page', wholeNumber({ min: 1, max: 10_000 }), '100'),
  zone: value('utc|sydney', "the time zone of the rows' times", oneOf(['utc', 'sydney']), 'utc'),
  tls: flag('serve over TLS, with a certificate made at the start; its file is printed'),
  ties: value(
    'redrawn|fixed',
    'the order of rows with equal times: new at each request, or always the same',
    oneOf(['redrawn', 'fixed']),
    'redrawn',
  ),
  ...inSection(
    { heading: 'Panels, their versions and the sign-offs, besides the lists:' },
    {
      'lists-only': flag('answer 404 to all of them, like a catalogue that serves only its lists'),
      'sign-offs': value(
        'last|every',
        'what /panels/signedoff/ lists of a panel: its last sign-off or each',
        oneOf(['last', 'every']),
        'last',
      ),
    },
  ),
  ...inSection(
    { heading: 'Made-up catalogue:' },
    {
      seed: value(
        'N',
        'a number; the same number makes up the same catalogue',
        wholeNumber({ min: 0, max: 1e9 }),
        '1',
      ),
      history: value(
        'N',
        'about how many rows the log has at the start, up to 100000',
        wholeNumber({ min: 0, max: 100_000 }),
        '400',
      ),
      'act-every': value(
        'SECONDS',
        'about how often a curator acts: 90, or 15m; 0: never',
        duration({ unit: 's', min: 0, max: 86_400 }),
        '2',
      ),
    },
  ),
  ...inSection(
    { heading: 'Saved pages, instead of a made-up catalogue:' },
    {
      from: text(
        'DIR',
        'directory with activities-page-001.json, panels-page-001.json, regions-page-001.json, …, or with activities.json.gz, panels, regions, current, versions and signedoff (docs/sandbox.md)',
      ),
    },
  ),
  ...inSection(
    { heading: 'Identity provider and interpretation API family:' },
    {
      family: flag('serve them too'),
      'require-token': flag('the catalogue requires a token of that identity provider'),
      'token-lifetime': value(
        'SECONDS',
        'how long a token is valid: 5, or 15m (default: 3600)',
        duration({ unit: 's', min: 1, max: 86_400 }),
      ),
      basic: value(
        'both|raw|form',
        'how to read the Basic header of a token request: client id and secret literally (raw), percent-encoded (form), or either (default: both)',
        oneOf(basicReadings),
      ),
      'secret-in-body': flag('accept client id and secret as form fields of a token request too'),
    },
  ),
};
type Values = OptionValues<typeof options>;

async function run(values: Values, io: Io): Promise<number> {
  try {
    return await serve(values, io);
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

async function serve(values: Values, io: Io): Promise<number> {
  for (const option of ['require-token', 'token-lifetime', 'basic', 'secret-in-body'] as const) {
    if (values[option] && !values.family) throw new UsageError(`--${option} needs --family`);
  }
  const { port, seed, history, zone, ties, basic = 'both', 'act-every': every } = values;
  const { clock } = io;
  const lifetime = Math.ceil((values['token-lifetime'] ?? 3_600_000) / 1000);
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
      ...{ seed, history, zone, ties },
      pageSize: values['page-size'],
      details: values['lists-only'] ? 'none' : 'served',
      signOffs: values['sign-offs'],
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
      const { signal } = io;
      io.stderr.write('Serving until Ctrl-C.\n');
      await untilAborted(signal);
      return 0;
    } finally {
      await catalogue.close();
    }
  } finally {
    await family?.close();
    await tls?.remove();
  }
}

async function writeCertificate({ now }: Clock) {
  const day = 24 * 3600 * 1000;
  const certificate = selfSigned({
    host: 'localhost',
    from: new Date(now() - day),
    until: new Date(now() + 30 * day),
  });
  // The applications of this process ask its identity provider for its keys.
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const directory = await mkdtemp(join(tmpdir(), 'gene-panel-sandbox-'));
  const file = join(directory, 'certificate.pem');
  await writeFile(file, certificate.cert);
  return { certificate, file, remove: () => rm(directory, { recursive: true, force: true }) };
}

export const command = declareCommand({
  name: 'sandbox',
  about: [
    'Serves a gene panel catalogue on this machine: a made-up one in which curators act, or saved pages. With --family it also serves an identity provider and the applications of the interpretation API family. It prints addresses and credentials as environment variables. Requests to /sandbox/ change it while it runs (docs/sandbox.md). Ctrl-C stops it.',
  ],
  options,
  exitCodes: '0 stopped, 1 could not start, 2 wrong arguments',
  examples: [
    '$0 sandbox --port 8000',
    '$0 watch --catalogue http://127.0.0.1:8000',
    '$0 sandbox --family --require-token --token-lifetime 5',
  ],
  run,
});
