import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../bin/commands/doctor.ts';
import type { Finding } from '../../bin/doctor/finding.ts';
import { reportWriter } from '../../sandbox/identity/residents.ts';
import { serve } from '../../sandbox/identity/serve.ts';
import { createSigningKeys, makeKey } from '../../sandbox/identity/signing-keys.ts';
import { bearerAuthorisation, createApplicationCheck } from '../../sandbox/interpretation/start.ts';
import { CANARY } from '../identity/canaries.ts';
import { noon } from '../identity/manual-clock.ts';
import { closeLater } from '../identity/token-stage.ts';
import { selfSigned } from '../sandbox/identity/self-signed.ts';
import { type CommandStage, canarySystem, commandStage, type Given } from './command-stage.ts';

type Verdicts = Readonly<Record<string, string>>;

/** Runs the doctor and gives what it found, by check. */
async function consult(stage: CommandStage, args: readonly string[], given?: Given) {
  const { code, stdout, stderr } = await stage.run(command, [...args, '--json'], given);
  const findings = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Finding);
  const verdicts: Verdicts = Object.fromEntries(findings.map(({ check, outcome }) => [check, outcome]));
  const says = (check: string) => findings.find((finding) => finding.check === check)?.says;
  return { code, stderr, verdicts, says };
}

interface Log {
  /** Rows for those who show a credential, and for all others; null lets them not in. */
  readonly known: number;
  readonly anybody: number | null;
  /** The time that its answers bear. */
  readonly date?: number;
}

/** A catalogue whose log differs by who asks. */
async function startCatalogue(stage: CommandStage, { known, anybody, date = noon }: Log): Promise<string> {
  const authorise = bearerAuthorisation(createApplicationCheck('catalogue', stage));
  const { url, close } = await serve(() => async (request) => {
    const token = request.headers.get('authorization') === `Token ${CANARY}`;
    const refused = token ? undefined : await authorise(request);
    if (refused && anybody === null) return refused;
    const count = refused ? anybody : known;
    const row = { created: '2026-11-01T00:00:00Z' };
    const headers = { date: new Date(date).toUTCString() };
    return Response.json({ count, next: null, previous: null, results: [row] }, { headers });
  });
  closeLater(close);
  return url;
}

const noIdentity = { AUTH_URL: undefined, CLIENT_ID: undefined, CLIENT_SECRET: undefined };

describe('doctor', () => {
  test('finds a whole family in good health', async () => {
    const stage = await commandStage();
    const catalogue = await startCatalogue(stage, { known: 500, anybody: 400 });
    const { urls } = stage.applications;
    const args = Object.entries(urls).flatMap(([name, url]) => [`--${name}`, url]);
    const { code, verdicts, stderr } = await consult(stage, ['--catalogue', catalogue, ...args]);
    expect(verdicts).toMatchObject({
      'identity provider': 'ok',
      credential: 'ok',
      token: 'ok',
      signature: 'ok',
      catalogue: 'ok',
      'catalogue access': 'ok',
      'interpretation API': 'ok',
      'variant store': 'ok',
      'sample-matching service': 'ok',
      're-identification service': 'ok',
    });
    expect([code, stderr]).toEqual([verdicts.clock === 'failed' ? 1 : 0, '']);
  });

  test('writes a line for each finding where a person reads', async () => {
    const stage = await commandStage();
    const { stdout } = await stage.run(command, []);
    expect(stdout).toMatch(/^ok {5} {2}identity provider: http:\S+ publishes 1 signing key\.\n/);
    expect(stdout).toContain('\nok       signature: The token is signed by a published key.\n');
  });

  const logs: [string, Log, string, string][] = [
    ['the credentials open it', { known: 500, anybody: null }, 'ok', 'not without'],
    ['the credentials show more', { known: 500, anybody: 400 }, 'ok', '100 rows more than anybody sees'],
    [
      'the credentials are ignored',
      { known: 400, anybody: 400 },
      'warning',
      'they are ignored, or not needed',
    ],
    ['the credentials show less', { known: 300, anybody: 400 }, 'warning', '100 rows less than without'],
  ];

  test.each(logs)('tells of a catalogue where %s', async (_name, log, outcome, said) => {
    const stage = await commandStage();
    const catalogue = await startCatalogue(stage, log);
    for (const env of [{}, { ...noIdentity, CATALOGUE_AUTHORIZATION: `Token ${CANARY}` }]) {
      const { verdicts, says } = await consult(stage, ['--catalogue', catalogue], { env });
      expect(verdicts).toMatchObject({ catalogue: 'ok', 'catalogue access': outcome });
      expect(says('catalogue access')).toContain(said);
    }
  });

  test('tells of a catalogue that wants credentials', async () => {
    const stage = await commandStage();
    const catalogue = await startCatalogue(stage, { known: 500, anybody: null });
    const { code, verdicts, says } = await consult(stage, ['--catalogue', catalogue], { env: noIdentity });
    expect([code, verdicts.catalogue]).toEqual([1, 'failed']);
    expect(says('catalogue')).toContain('answers only to those it knows');
  });

  test('tells of a catalogue that refuses the credentials', async () => {
    const stage = await commandStage();
    const catalogue = await startCatalogue(stage, { known: 500, anybody: null });
    const env = { ...noIdentity, CATALOGUE_AUTHORIZATION: `Token wrong ${CANARY}` };
    const { code, verdicts, says } = await consult(stage, ['--catalogue', catalogue], { env });
    expect([code, verdicts['catalogue access']]).toEqual([1, 'failed']);
    expect(says('catalogue access')).toContain('HTTP 401');
  });

  test.each([
    [0, 'ok', 'agrees'],
    [-20_000, 'ok', 'agrees'],
    [60_000, 'warning', '60 s ahead of that of the catalogue'],
    [-3_600_000, 'failed', '3600 s behind that of the catalogue'],
  ])('compares the clock: %i ms', async (skew, outcome, said) => {
    const stage = await commandStage();
    const catalogue = await startCatalogue(stage, { known: 1, anybody: 1, date: noon - skew });
    const { code, verdicts, says } = await consult(stage, ['--catalogue', catalogue], { env: noIdentity });
    expect([verdicts.clock, code]).toEqual([outcome, outcome === 'failed' ? 1 : 0]);
    expect(says('clock')).toContain(said);
  });

  test('tells an application that does not know the system from one that does not take the token', async () => {
    const stage = await commandStage();
    const { urls } = stage.applications;
    const args = [
      '--interpretation-api',
      urls['interpretation-api'],
      '--sample-matching',
      urls['sample-matching'],
    ];
    const env = { CLIENT_ID: reportWriter.clientId, CLIENT_SECRET: reportWriter.secrets[0] };
    const writer = await consult(stage, args, { env });
    expect(writer.verdicts).toMatchObject({
      'interpretation API': 'ok',
      'sample-matching service': 'failed',
    });
    expect(writer.says('sample-matching service')).toContain('does not know this system');

    const elsewhere = await consult(stage, [...args, '--resource', 'https://other.example']);
    expect(elsewhere.says('interpretation API')).toContain('does not take the token');
    expect(elsewhere.code).toBe(1);
  });

  test('goes on where the identity provider is not there', async () => {
    const stage = await commandStage();
    const catalogue = await startCatalogue(stage, { known: 1, anybody: 1 });
    const application = ['--interpretation-api', stage.applications.urls['interpretation-api']];
    const { code, verdicts } = await consult(stage, ['--catalogue', catalogue, ...application], {
      env: { AUTH_URL: 'http://127.0.0.1:1' },
    });
    expect(code).toBe(1);
    expect(verdicts).toMatchObject({ 'identity provider': 'failed', token: 'failed', catalogue: 'ok' });
    // Without a token there is nothing to show to anybody.
    expect(verdicts['interpretation API']).toBe('skipped');
  });

  test.each([
    ['a wrong secret', { CLIENT_SECRET: CANARY }, 'token', 'invalid_client'],
    ['a wrong tenant', { TENANT_ID: 'elsewhere' }, 'identity provider', 'HTTP 400'],
    ['an address that is none', { AUTH_URL: 'nowhere' }, 'identity provider', 'is not one'],
  ])('tells of %s', async (_name, env, check, said) => {
    const stage = await commandStage();
    const { code, verdicts, says } = await consult(stage, [], { env });
    expect([code, verdicts[check]]).toEqual([1, 'failed']);
    expect(says(check)).toContain(said);
  });

  test.each([
    ['is long valid', 40, 'ok', 'valid for 40 days'],
    ['expires soon', 20, 'warning', 'expires in 20 days'],
    ['has expired', -1, 'failed', 'has expired'],
  ])('tells of a certificate that %s', async (_name, days, outcome, said) => {
    const stage = await commandStage();
    const own = selfSigned({ name: 'own', from: noon - 1e10, until: noon + days * 86_400_000 });
    stage.provider.directory.register(canarySystem.clientId, own.certificate);
    const directory = await mkdtemp(join(tmpdir(), 'doctor-'));
    closeLater(() => rm(directory, { recursive: true }));
    const file = join(directory, 'credential.json');
    const credential = {
      client_id: canarySystem.clientId,
      private_key: own.privateKey,
      certificate: own.certificate,
    };
    await writeFile(file, JSON.stringify(credential));
    const { verdicts, says } = await consult(stage, ['--secret-file', file]);
    expect(verdicts.credential).toBe(outcome);
    expect(says('credential')).toContain(said);
  });

  test('tells of a token that no published key has signed', async () => {
    const stage = await commandStage();
    const others = createSigningKeys(makeKey('sandbox-1'));
    const { url, close } = await serve((own) => async ({ method, url: asked, headers, body }) => {
      const { pathname } = new URL(asked);
      if (pathname === '/common/discovery/keys') return Response.json(await others.published());
      const init = { method, headers, ...(body && { body, duplex: 'half' as const }) };
      const answer = await fetch(`${stage.provider.authUrl}${pathname}`, init);
      const text = await answer.text();
      return new Response(text.replaceAll(stage.provider.authUrl, own), { status: answer.status });
    });
    closeLater(close);
    const { code, verdicts } = await consult(stage, [], { env: { AUTH_URL: url } });
    expect(verdicts).toMatchObject({ 'identity provider': 'ok', token: 'ok', signature: 'failed' });
    expect(code).toBe(1);
  });

  test.each([
    ['nothing to check', [], noIdentity, 'there is nothing to check'],
    [
      'applications without a token',
      ['--catalogue', 'x', '--variant-store', 'x'],
      noIdentity,
      'applications want a token',
    ],
    ['an identity without credential', [], { CLIENT_ID: undefined }, 'a credential is missing'],
    ['an operand', ['x'], {}, 'saw "x"; wanted options only'],
  ])('is called wrongly with %s', async (_name, args, env, said) => {
    const stage = await commandStage();
    const { code, stderr } = await stage.run(command, args, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
