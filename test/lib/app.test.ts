import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { leanBundle } from '../../lib/bundle.ts';
import { notifierStacks } from '../../lib/notifier-stacks.ts';
import { readSettings } from '../../lib/read-settings.ts';
import { app, now } from './deploy.ts';

const cdkJson = JSON.parse(readFileSync('cdk.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { outputFiles } = await build({
  ...leanBundle,
  entryPoints: ['lambdas/poll/handler.ts'],
  outfile: 'index.cjs',
  write: false,
});
/** What is measured and gated is what is deployed. */
const bundle = outputFiles[0]?.text;

/** Runs the app as the CDK's command line does; proxies that lead nowhere keep it offline. */
const synth = (name: string, context: object) => {
  const output = join(folder, name);
  const nowhere = 'http://127.0.0.1:9';
  const { status, stderr } = spawnSync(process.execPath, cdkJson.app.split(' ').slice(1), {
    encoding: 'utf8',
    env: {
      ...process.env,
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...context }),
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      npm_config_offline: 'true',
    },
  });
  return { status, stderr, output };
};

describe('cdk.json', () => {
  test('sets every flag that this version of the CDK recommends', () => {
    expect(cdkJson.context).toMatchObject(recommended);
    expect(Object.keys(recommended).length).toBeGreaterThan(50);
  });

  test('requests no notices and reports nothing', () => {
    expect(cdkJson).toMatchObject({ app: 'node bin/app.ts', notices: false, versionReporting: false });
  });
});

describe('the app', () => {
  test('synthesises offline and without Docker, and keeps the CDK’s default rules', () => {
    const { status, stderr, output } = synth('plain', {});
    expect(stderr).not.toMatch(/docker/i);
    expect(status, stderr).toBe(0);
    const name = 'gene-panel-notifier-production.template.json';
    const template = JSON.parse(readFileSync(join(output, name), 'utf8'));
    expect(template.Outputs.TopicClassifications).toBeDefined();
    const assets = readdirSync(output).filter((entry) => entry.startsWith('asset.'));
    const code = assets.flatMap((asset) =>
      readdirSync(join(output, asset)).map((file) => readFileSync(join(output, asset, file), 'utf8')),
    );
    expect(code.some((text) => text === bundle)).toBe(true);
  });

  test('reports what is wrong without a stack trace', () => {
    const { status, stderr } = synth('wrong', { stage: 'staging' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/There is no stage "staging"/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test.each([
  ['notifier.config.sandbox.json', 'panel-sandbox-non-production'],
  ['notifier.config.australia.ts', 'panelapp-australia-production'],
])('%s gives the stack %s', async (file, stackName) => {
  const root = app();
  notifierStacks(root, await readSettings(file, { now }));
  expect(root.synth().stacks.map((stack) => stack.stackName)).toEqual([stackName]);
});
