import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { leanBundle } from '../../lib/bundle.ts';
import { notifierStacks } from '../../lib/gene-panel-notifier.ts';
import { readSettings } from '../../lib/read-settings.ts';
import { newFolder } from '../new-folder.ts';
import { app, now } from './deploy.ts';
import { runApp } from './run-app.ts';

const output = newFolder();

test('the app synthesises offline and without Docker, and deploys the bundle that is measured', async () => {
  const { outputFiles } = await build({
    ...leanBundle,
    entryPoints: ['lambdas/functions/poll/handler.ts'],
    outfile: 'index.cjs',
    write: false,
  });
  const { status, stderr } = runApp(output, {});
  expect(stderr).not.toMatch(/docker/i);
  expect(status, stderr).toBe(0);
  const name = 'gene-panel-notifier-production.template.json';
  const template = JSON.parse(readFileSync(join(output, name), 'utf8'));
  expect(template.Outputs.TopicClassifications).toBeDefined();
  const assets = readdirSync(output).filter((entry) => entry.startsWith('asset.'));
  expect(assets.some((asset) => readdirSync(join(output, asset)).includes('nodemailer.js'))).toBe(true);
  const code = assets.flatMap((asset) =>
    readdirSync(join(output, asset)).map((file) => readFileSync(join(output, asset, file), 'utf8')),
  );
  expect(code.some((text) => text === outputFiles[0]?.text)).toBe(true);
});

test('the app reports wrong settings without a stack trace', () => {
  const { status, stderr } = runApp(output, { stage: 'staging' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/There is no stage "staging"/);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test.each([
  ['notifier.config.sandbox.json', 'panel-sandbox-non-production'],
  ['notifier.config.australia.ts', 'panelapp-australia-production'],
])('%s gives the stack %s', async (file, stackName) => {
  const root = app();
  notifierStacks(root, await readSettings(file, { now }));
  expect(root.synth().stacks.map((stack) => stack.stackName)).toEqual([stackName]);
});
