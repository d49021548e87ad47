import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../bin/commands/doctor.ts';
import type { Finding } from '../../bin/doctor/finding.ts';
import { serve } from '../../sandbox/http.ts';
import { otherResource, reportWriter } from '../../sandbox/identity/accounts.ts';
import { createSigningKeys } from '../../sandbox/identity/oauth-endpoints.ts';
import { bearerAuthorisation, createApplicationCheck } from '../../sandbox/interpretation/application.ts';
import { CANARY } from '../catalogue/identity/canaries.ts';
import { signingKey } from '../catalogue/identity/signing-key.ts';
import { closeLater } from '../catalogue/identity/token-harness.ts';
import { newFolder } from '../new-folder.ts';
import { noon } from '../run/test-clock.ts';
import { selfSigned } from '../sandbox/identity/self-signed.ts';
import { type CommandHarness, canarySystem, commandHarness, type Given } from './command-harness.ts';

type Outcomes = Readonly<Record<string, string>>;

/** Runs the checks and gives their findings. */
async function examine(harness: CommandHarness, args: readonly string[], given?: Given) {
  const { code, stdout, stderr } = await harness.run(command, [...args, '--json'], given);
  const findings = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Finding);
  const outcomes: Outcomes = Object.fromEntries(findings.map(({ check, outcome }) => [check, outcome]));
  const text = (check: string) => findings.find((finding) => finding.check === check)?.text;
  return { code, stderr, outcomes, text };
}

interface Log {
  /** Rows of the log; null without credentials refuses such requests. */
  readonly withCredentials: number;
  readonly withoutCredentials: number | null;
  /** The time that its responses state. */
  readonly date?: number;
}

/** A catalogue whose log is longer with credentials. */
async function startCatalogue(
  harness: CommandHarness,
  { withCredentials, withoutCredentials, date = noon }: Log,
): Promise<string> {
  const authorise = bearerAuthorisation(createApplicationCheck('catalogue', harness));
  const { url, close } = await serve(() => async (request) => {
    const token = request.headers.get('authorization') === `Token ${CANARY}`;
    const refused = token ? undefined : await authorise(request);
    if (refused && withoutCredentials === null) return refused;
    const count = refused ? withoutCredentials : withCredentials;
    const row = { created: '2026-11-01T00:00:00Z' };
    const headers = { date: new Date(date).toUTCString() };
    return Response.json({ count, next: null, previous: null, results: [row] }, { headers });
  });
  closeLater(close);
  return url;
}

const noIdentity = { AUTH_URL: undefined, CLIENT_ID: undefined, CLIENT_SECRET: undefined };

describe('doctor', () => {
  test('finds no problem with a whole family', async () => {
    const harness = await commandHarness();
    const catalogue = await startCatalogue(harness, { withCredentials: 500, withoutCredentials: 400 });
    const { urls } = harness.applications;
    const args = Object.entries(urls).flatMap(([name, url]) => [`--${name}`, url]);
    const { code, outcomes, stderr } = await examine(harness, ['--catalogue', catalogue, ...args]);
    expect(outcomes).toMatchObject({
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
    expect([code, stderr]).toEqual([outcomes.clock === 'failed' ? 1 : 0, '']);
  });

  test('prints a line for each check', async () => {
    const harness = await commandHarness();
    const { stdout } = await harness.run(command, []);
    expect(stdout).toMatch(/^ok {5} {2}identity provider: http:\S+ publishes 1 signing key\.\n/);
    expect(stdout).toContain('\nok       signature: The token is signed by a published key.\n');
  });

  const logs: [string, Log, string, string][] = [
    ['the credentials are required', { withCredentials: 500, withoutCredentials: null }, 'ok', 'not without'],
    [
      'the credentials show more',
      { withCredentials: 500, withoutCredentials: 400 },
      'ok',
      '100 rows that the public does not see',
    ],
    [
      'the credentials are ignored',
      { withCredentials: 400, withoutCredentials: 400 },
      'warning',
      'they are ignored or unnecessary',
    ],
    [
      'the credentials show less',
      { withCredentials: 300, withoutCredentials: 400 },
      'warning',
      '100 rows fewer than the public sees',
    ],
  ];

  test.each(logs)('reports a catalogue where %s', async (_name, log, outcome, message) => {
    const harness = await commandHarness();
    const catalogue = await startCatalogue(harness, log);
    for (const env of [{}, { ...noIdentity, CATALOGUE_AUTHORIZATION: `Token ${CANARY}` }]) {
      const { outcomes, text } = await examine(harness, ['--catalogue', catalogue], { env });
      expect(outcomes).toMatchObject({ catalogue: 'ok', 'catalogue access': outcome });
      expect(text('catalogue access')).toContain(message);
    }
  });

  test('reports a catalogue that requires credentials', async () => {
    const harness = await commandHarness();
    const catalogue = await startCatalogue(harness, { withCredentials: 500, withoutCredentials: null });
    const { code, outcomes, text } = await examine(harness, ['--catalogue', catalogue], { env: noIdentity });
    expect([code, outcomes.catalogue]).toEqual([1, 'failed']);
    expect(text('catalogue')).toContain('requires credentials');
  });

  test('reports a catalogue that refuses the credentials', async () => {
    const harness = await commandHarness();
    const catalogue = await startCatalogue(harness, { withCredentials: 500, withoutCredentials: null });
    const env = { ...noIdentity, CATALOGUE_AUTHORIZATION: `Token wrong ${CANARY}` };
    const { code, outcomes, text } = await examine(harness, ['--catalogue', catalogue], { env });
    expect([code, outcomes['catalogue access']]).toEqual([1, 'failed']);
    expect(text('catalogue access')).toContain('HTTP 401');
  });

  test.each([
    [0, 'ok', 'agrees'],
    [-20_000, 'ok', 'agrees'],
    [60_000, 'warning', '60 s ahead of that of the catalogue'],
    [-3_600_000, 'failed', '3600 s behind that of the catalogue'],
  ])('compares the clock: %i ms', async (skew, outcome, message) => {
    const harness = await commandHarness();
    const catalogue = await startCatalogue(harness, {
      withCredentials: 1,
      withoutCredentials: 1,
      date: noon - skew,
    });
    const { code, outcomes, text } = await examine(harness, ['--catalogue', catalogue], { env: noIdentity });
    expect([outcomes.clock, code]).toEqual([outcome, outcome === 'failed' ? 1 : 0]);
    expect(text('clock')).toContain(message);
  });

  test('distinguishes an application that has not registered the system from one that refuses the token', async () => {
    const harness = await commandHarness();
    const { urls } = harness.applications;
    const args = [
      '--interpretation-api',
      urls['interpretation-api'],
      '--sample-matching',
      urls['sample-matching'],
    ];
    const env = { CLIENT_ID: reportWriter.clientId, CLIENT_SECRET: reportWriter.secrets[0] };
    const writer = await examine(harness, args, { env });
    expect(writer.outcomes).toMatchObject({
      'interpretation API': 'ok',
      'sample-matching service': 'failed',
    });
    expect(writer.text('sample-matching service')).toContain('has not registered this system');

    const elsewhere = await examine(harness, [...args, '--resource', otherResource]);
    expect(elsewhere.text('interpretation API')).toContain('does not accept the token');
    expect(elsewhere.code).toBe(1);
  });

  test('continues where the identity provider cannot be reached', async () => {
    const harness = await commandHarness();
    const catalogue = await startCatalogue(harness, { withCredentials: 1, withoutCredentials: 1 });
    const application = ['--interpretation-api', harness.applications.urls['interpretation-api']];
    const { code, outcomes } = await examine(harness, ['--catalogue', catalogue, ...application], {
      env: { AUTH_URL: 'http://127.0.0.1:1' },
    });
    expect(code).toBe(1);
    expect(outcomes).toMatchObject({ 'identity provider': 'failed', token: 'failed', catalogue: 'ok' });
    expect(outcomes['interpretation API']).toBe('skipped');
  });

  test.each([
    ['a wrong secret', { CLIENT_SECRET: CANARY }, 'token', 'invalid_client'],
    ['a wrong tenant', { TENANT_ID: 'elsewhere' }, 'identity provider', 'HTTP 400'],
    ['an address that is not a URL', { AUTH_URL: 'nowhere' }, 'identity provider', 'is not a URL'],
  ])('reports %s', async (_name, env, check, message) => {
    const harness = await commandHarness();
    const { code, outcomes, text } = await examine(harness, [], { env });
    expect([code, outcomes[check]]).toEqual([1, 'failed']);
    expect(text(check)).toContain(message);
  });

  test.each([
    ['is valid for long', 40, 'ok', 'valid for 40 days'],
    ['expires soon', 20, 'warning', 'expires in 20 days'],
    ['has expired', -1, 'failed', 'has expired'],
  ])('reports a certificate that %s', async (_name, days, outcome, message) => {
    const harness = await commandHarness();
    const own = selfSigned({ name: 'own', from: noon - 1e10, until: noon + days * 86_400_000 });
    harness.provider.directory.register(canarySystem.clientId, own.certificate);
    const directory = newFolder();
    closeLater(() => rm(directory, { recursive: true }));
    const file = join(directory, 'credential.json');
    const credential = {
      client_id: canarySystem.clientId,
      private_key: own.privateKey,
      certificate: own.certificate,
    };
    await writeFile(file, JSON.stringify(credential));
    const { outcomes, text } = await examine(harness, ['--secret-file', file]);
    expect(outcomes.credential).toBe(outcome);
    expect(text('credential')).toContain(message);
  });

  test('reports a token that no published key has signed', async () => {
    const harness = await commandHarness();
    const others = createSigningKeys(signingKey('sandbox-1', 2));
    const { url, close } = await serve((own) => async ({ method, url: asked, headers, body }) => {
      const { pathname } = new URL(asked);
      if (pathname === '/common/discovery/keys') return Response.json(await others.published());
      const init = { method, headers, ...(body && { body, duplex: 'half' as const }) };
      const answer = await fetch(`${harness.provider.authUrl}${pathname}`, init);
      const page = await answer.text();
      return new Response(page.replaceAll(harness.provider.authUrl, own), { status: answer.status });
    });
    closeLater(close);
    const { code, outcomes } = await examine(harness, [], { env: { AUTH_URL: url } });
    expect(outcomes).toMatchObject({ 'identity provider': 'ok', token: 'ok', signature: 'failed' });
    expect(code).toBe(1);
  });

  test.each([
    ['nothing to check', [], noIdentity, 'nothing to check'],
    [
      'applications without a token',
      ['--catalogue', 'x', '--variant-store', 'x'],
      noIdentity,
      'applications require a token',
    ],
    ['an identity without credential', [], { CLIENT_ID: undefined }, 'a credential is missing'],
    ['an operand', ['x'], {}, 'saw "x"; expected options only'],
  ])('refuses wrong arguments: %s', async (_name, args, env, message) => {
    const harness = await commandHarness();
    const { code, stderr } = await harness.run(command, args, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
