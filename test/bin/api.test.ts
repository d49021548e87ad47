import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { command } from '../../bin/commands/api.ts';
import { CANARY } from '../catalogue/identity/canaries.ts';
import { newFolder } from '../new-folder.ts';
import { type CommandHarness, commandHarness, type Given } from './command-harness.ts';
import type { Ran } from './run-command.ts';

let directory = '';
beforeEach(async () => {
  directory = newFolder();
});

interface ApiHarness extends CommandHarness {
  readonly api: (args: readonly string[], given?: Given) => Promise<Ran>;
}

async function start(): Promise<ApiHarness> {
  const harness = await commandHarness();
  const env = { INTERPRETATION_URL: harness.applications.urls['interpretation-api'] };
  return {
    ...harness,
    api: (args, given = {}) => harness.run(command, args, { ...given, env: { ...env, ...given.env } }),
  };
}

const payload = { interpretation_request_id: 1001, interpretation_request_version: 1, note: 'é' };

describe('api', () => {
  test.each(['interpretation-request/1001/1', '/interpretation-request/1001/1'])(
    'get %s prints JSON',
    async (path) => {
      const { api } = await start();
      const { code, stdout, stderr } = await api(['get', path]);
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toMatchObject({
        interpretation_request_id: 1001,
        samples: ['LP1001-A', 'LP1001-B'],
      });
    },
  );

  test('get passes query parameters on', async () => {
    const { api, applications } = await start();
    expect((await api(['get', 'interpretation-request', '--query', 'a=b=c', '--query', 'd=é&f'])).code).toBe(
      0,
    );
    expect(applications.requests['interpretation-api']).toEqual(['GET /interpretation-request']);
  });

  test('get reads from the other applications by their address', async () => {
    const { api, applications } = await start();
    const { stdout } = await api(['get', 'samples/LP1001-A', '--base', applications.urls['sample-matching']]);
    expect(JSON.parse(stdout)).toMatchObject({ sample_id: 'LP1001-A' });
  });

  test('an error names the application that was asked', async () => {
    const { api, applications } = await start();
    const base = ['--base', applications.urls['variant-annotation-store']];
    const asked = ['get', 'nothing', ...base, '--application', 'variant-annotation-store'];
    const { code, stderr } = await api(asked);
    expect(code).toBe(1);
    expect(stderr).toContain('the variant annotation store');
    expect(stderr).not.toContain('interpretation API');
    const unknown = await api(['get', 'nothing', '--application', 'variants']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('--application "variants": expected interpretation-api, variant-store');
    const written = await api(['snp-check', '1', '1', 'A', '--application', 'variant-store']);
    expect(written).toMatchObject({ code: 2, stdout: '' });
    expect(applications.requests['interpretation-api']).toEqual([]);
  });

  test('clinical-report sends a file', async () => {
    const { api, applications } = await start();
    const file = join(directory, 'report.json');
    await writeFile(file, JSON.stringify(payload));
    expect((await api(['clinical-report', file])).code).toBe(0);
    expect(applications.written.clinicalReports).toEqual([payload]);
  });

  test('exit-questionnaire sends standard input', async () => {
    const { api, applications } = await start();
    expect((await api(['exit-questionnaire', '-'], { stdin: JSON.stringify(payload) })).code).toBe(0);
    expect([...applications.written.exitQuestionnaires.values()]).toEqual([payload]);
  });

  test('snp-check re-runs sample matching', async () => {
    const { api, applications } = await start();
    expect((await api(['snp-check', '1001', '1', 'LP1001-A'])).code).toBe(0);
    expect([...applications.written.matchings]).toEqual([['1001/1/LP1001-A', 1]]);
  });

  test.each([
    ['no operation', [], 'an operation is missing'],
    ['an unknown operation', ['delete', 'x'], '"delete" is not an operation'],
    ['an operation that is a property of every object', ['constructor'], '"constructor" is not an operation'],
    ['no path', ['get'], 'api get: 0 operands given, expected PATH'],
    ['an empty path', ['get', ''], 'api get: an operand is empty, expected PATH'],
    ['two paths', ['get', 'a', 'b'], 'api get: 2 operands given, expected PATH'],
    ['an address in place of a path', ['get', 'https://evil.example/'], 'expected a path below --base'],
    ['an address without scheme', ['get', '//evil.example/'], 'expected a path below --base'],
    ['parameters in the path', ['get', 'a?b=c'], 'expected a path below --base'],
    ['a path without a part', ['get', '/'], 'expected a path below --base'],
    ['a path with an empty part', ['get', 'a//b'], 'expected a path below --base'],
    ['a path that leads outside the base address', ['get', 'a/../../b'], 'expected a path below --base'],
    ['a parameter without value', ['get', 'a', '--query', 'b'], 'expected NAME=VALUE'],
    ['parameters elsewhere', ['snp-check', '1', '1', 'x', '--query', 'a=b'], '--query is for get only'],
    [
      'an empty sample',
      ['snp-check', '1', '1', ''],
      'an operand is empty, expected IR_ID IR_VERSION SAMPLE_ID',
    ],
    [
      'an address that is not a URL',
      ['get', 'a', '--base', 'host'],
      'Reading the address of the interpretation API: "host" is not a URL; expected an address such as https://host.example.org/path. Correct --base (INTERPRETATION_URL).',
    ],
  ])('refuses wrong arguments: %s', async (_name, args, message, stdin = '') => {
    const { api, applications } = await start();
    const { code, stderr } = await api(args, { stdin });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(Object.values(applications.requests).flat()).toEqual([]);
  });

  test.each([
    ['a missing file', '/nowhere/x.json', 'Reading /nowhere/x.json: there is no such file.'],
    [
      'a payload that is not JSON',
      '-',
      'Reading standard input: it is not a JSON object, such as',
      `{"${CANARY}`,
    ],
    ['a payload that is a list', '-', 'Reading standard input: it is not a JSON object, such as', '[]'],
  ])('cannot send %s', async (_name, file, message, stdin = '') => {
    const { api, applications } = await start();
    const { code, stderr } = await api(['clinical-report', file], { stdin });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(Object.values(applications.requests).flat()).toEqual([]);
  });

  test.each([
    ['the resource is missing', ['get', 'nothing'], 'HTTP 404'],
    [
      'the case does not exist',
      ['clinical-report', '-'],
      'HTTP 404',
      JSON.stringify({ ...payload, interpretation_request_id: 1 }),
    ],
    ['the payload is refused', ['clinical-report', '-'], 'HTTP 400', '{}'],
  ])('fails where %s', async (_name, args, message, stdin = '') => {
    const { api } = await start();
    const { code, stderr, stdout } = await api(args, { stdin });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  test('requires the address of an application', async () => {
    const { api } = await start();
    const { code, stderr } = await api(['get', 'x'], { env: { INTERPRETATION_URL: undefined } });
    expect(code).toBe(2);
    expect(stderr).toContain('--base URL (or INTERPRETATION_URL in the environment) is missing');
  });
});
