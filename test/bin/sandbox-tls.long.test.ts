import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { words } from './run-command.ts';

const program = resolve('bin/gene-panel-notifier.js');

test('sandbox --tls prints a certificate by which other commands read it, and removes its file at the end', async () => {
  const folder = newFolder();
  const sandbox = spawn(process.execPath, [program, 'sandbox', '--tls', '--port', '0', '--history', '20'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void sandbox.kill());
  const printed: Record<string, string> = {};
  for await (const line of createInterface({ input: sandbox.stdout })) {
    const [name = '', value = ''] = line.split('=');
    printed[name] = value;
    if (name === 'NODE_EXTRA_CA_CERTS') break;
  }
  const { CATALOGUE_URL = '', NODE_EXTRA_CA_CERTS = '' } = printed;
  expect(CATALOGUE_URL).toMatch(/^https:/);
  expect(existsSync(NODE_EXTRA_CA_CERTS)).toBe(true);

  const poll = (env: Record<string, string>) =>
    promisify(execFile)(
      process.execPath,
      words`${program} poll --only log --catalogue ${CATALOGUE_URL} --from 1000d
        --state ${join(folder, 'state')}`,
      { env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } },
    );
  await expect(poll({})).rejects.toThrow(/CATALOGUE_CERTIFICATE_REFUSED/);
  expect((await poll({ NODE_EXTRA_CA_CERTS })).stdout).toContain('gene-panel.');

  const ended = once(sandbox, 'exit');
  sandbox.kill();
  await ended;
  expect(existsSync(NODE_EXTRA_CA_CERTS)).toBe(false);
});
