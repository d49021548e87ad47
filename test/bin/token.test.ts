import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { token as command } from '../../bin/commands/api.ts';
import { serve } from '../../sandbox/http.ts';
import { familyResource, otherResource } from '../../sandbox/identity/accounts.ts';
import { CANARY } from '../catalogue/identity/canaries.ts';
import { closeLater } from '../catalogue/identity/token-harness.ts';
import { newFolder } from '../new-folder.ts';
import { noon } from '../run/test-clock.ts';
import { selfSigned } from '../sandbox/identity/self-signed.ts';
import { canarySystem, commandHarness } from './command-harness.ts';
import { words } from './run-command.ts';

let directory = '';
beforeEach(async () => {
  directory = newFolder();
});

const none = { CLIENT_ID: undefined, CLIENT_SECRET: undefined };

describe('token', () => {
  test('prints the claims, and not the token', async () => {
    const { run, provider } = await commandHarness();
    const { code, stdout, stderr } = await run(command, []);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('valid for 60 min, until 2026-11-20T13:00:00.000Z');
    expect(stdout).toMatch(new RegExp(`appid +${canarySystem.clientId} +calling application`));
    expect(stdout).toMatch(/exp +2026-11-20T13:00:00\.000Z +expires/);
    expect(stdout).toContain(familyResource);
    expect(stdout).not.toMatch(/[\w-]{30,}\.[\w-]{30,}\./);
    expect(provider.calls).toHaveLength(1);
  });

  test('prints claims and lifetime as JSON', async () => {
    const { run } = await commandHarness();
    const output = JSON.parse((await run(command, ['--json'])).stdout);
    expect(output).toMatchObject({
      lifetimeSeconds: 3600,
      expires: '2026-11-20T13:00:00.000Z',
      claims: { appid: canarySystem.clientId, appidacr: '1', ver: '1.0' },
    });
    expect(Object.keys(output)).toEqual(['lifetimeSeconds', 'expires', 'claims']);
  });

  test('prints the token alone with --show-token', async () => {
    const { run, ask } = await commandHarness();
    const { stdout } = await run(command, ['--show-token']);
    expect(decodeJwt(stdout).appid).toBe(canarySystem.clientId);
    expect((await ask('interpretation-api', 'interpretation-request', { token: stdout.trim() })).status).toBe(
      200,
    );
  });

  test.each([
    ['from a file', ''],
    ['from a file with a byte order mark', '\ufeff'],
  ])('reads the credential %s, and the request from options', async (_what, mark) => {
    const { run } = await commandHarness();
    const file = join(directory, 'credential.json');
    await writeFile(
      file,
      mark + JSON.stringify({ client_id: canarySystem.clientId, client_secret: canarySystem.secrets[0] }),
    );
    const args = ['--json', '--secret-file', file, '--resource', otherResource, '--basic', 'form'];
    expect(JSON.parse((await run(command, args, { env: none })).stdout).claims.aud).toBe(otherResource);
  });

  test('accepts a certificate', async () => {
    const { run, provider } = await commandHarness();
    const own = selfSigned({ name: 'own', from: noon - 1e9, until: noon + 1e9 });
    provider.directory.register(canarySystem.clientId, own.certificate);
    const file = join(directory, 'credential.json');
    const credential = {
      client_id: canarySystem.clientId,
      private_key: own.privateKey,
      certificate: own.certificate,
    };
    await writeFile(file, JSON.stringify(credential));
    const { stdout } = await run(command, ['--json'], { env: { ...none, SECRET_FILE: file } });
    expect(JSON.parse(stdout).claims.appidacr).toBe('2');
  });

  test('escapes hostile claims', async () => {
    const { run } = await commandHarness();
    const bad = '\u001b[2J\u202eevil\nline';
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { [`name${bad}`]: bad, exp: 1e300, iat: 'x', constructor: null };
    const access_token = `${part({ alg: 'none' })}.${part(claims)}.${CANARY}`;
    const { url, close } = await serve(
      () => () => Response.json({ token_type: 'Bearer', expires_in: '90', access_token }),
    );
    closeLater(close);
    const { stdout, code } = await run(command, [], { env: { AUTH_URL: url } });
    expect(code).toBe(0);
    for (const harmful of ['\u001b', '\u202e', 'evil\n']) expect(stdout).not.toContain(harmful);
    expect(stdout).toContain('valid for 90 s');
  });

  test.each([
    ['no address', [], { AUTH_URL: undefined }, '--auth-url is missing'],
    ['no tenant', [], { TENANT_ID: '' }, '--tenant is missing'],
    ['no credential', [], none, 'a credential is missing'],
    ['half a credential', [], { CLIENT_SECRET: undefined }, 'a credential is missing'],
    [
      'an address that is not a URL',
      [],
      { AUTH_URL: 'bla' },
      'address of the identity provider: "bla" is not a URL',
    ],
    [
      'http to another machine',
      [],
      { AUTH_URL: 'http://login.example.org' },
      'expected https. Correct --auth-url',
    ],
    ['another style', ['--basic', 'base64'], {}, '--basic "base64": expected raw or form'],
    ['an operand', ['me'], {}, 'saw "me"; expected options only'],
    ['a secret as an argument', ['--client-secret', CANARY.slice(1)], {}, 'client-secret'],
  ])('refuses wrong arguments: %s', async (_name, args, env, message) => {
    const { run } = await commandHarness();
    const { code, stderr } = await run(command, args, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each([
    ['a wrong secret', { CLIENT_SECRET: `wrong ${CANARY}` }, 'invalid_client (AADSTS7000215)'],
    ['another tenant', { TENANT_ID: 'elsewhere' }, 'invalid_request (AADSTS90002)'],
    ['no provider at the address', { AUTH_URL: 'http://127.0.0.1:1' }, 'nothing accepts connections'],
    [
      'a missing file',
      { ...none, SECRET_FILE: '/nowhere/credential.json' },
      'Reading the secret in /nowhere',
    ],
  ])('fails with %s', async (_name, env, message) => {
    const { run } = await commandHarness();
    const { code, stderr, stdout } = await run(command, [], { env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  test('names every option in its help', () => {
    for (const option of words`--auth-url --tenant --resource --scope --basic --secret-file --secret-id
      --show-token --json`) {
      expect(command.usage).toContain(option);
    }
  });
});
