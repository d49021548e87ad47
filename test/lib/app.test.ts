import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { leanBundle } from '../../lib/bundle.ts';

const cdkJson = JSON.parse(readFileSync('cdk.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { outputFiles } = await build({
  ...leanBundle,
  entryPoints: ['lambdas/poll/handler.ts'],
  outfile: 'index.mjs',
  write: false,
});
/** What is measured and gated is what is deployed. */
const bundle = outputFiles[0]?.text;

/** Runs the app as the CDK's command line does; `addresses` of proxies that lead nowhere keep it offline. */
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

  test('asks nobody for notices and reports nothing', () => {
    expect(cdkJson).toMatchObject({ app: 'node bin/app.ts', notices: false, versionReporting: false });
  });
});

describe('the app', () => {
  const toCome = join(folder, 'to-come.json');
  const sandbox = readFileSync('notifier.config.sandbox.json', 'utf8');
  writeFileSync(toCome, sandbox.replace(/"from": "\d+/, '"from": "2099'));

  test.each([
    ['without a word', {}, 'gene-panel-notifier-production'],
    ['with JSON settings', { config: 'notifier.config.sandbox.json' }, 'panel-sandbox-non-production'],
    [
      'for one stage',
      { config: 'notifier.config.australia.ts', stage: 'production' },
      'panelapp-australia-production',
    ],
  ])('synthesises offline, %s, bundles and all', (name, context, stack) => {
    const { status, stderr, output } = synth(name, context);
    expect(stderr).not.toMatch(/docker/i);
    expect(status, stderr).toBe(0);
    const template = JSON.parse(readFileSync(join(output, `${stack}.template.json`), 'utf8'));
    expect(template.Outputs.TopicClassifications).toBeDefined();
    const [asset = ''] = readdirSync(output).filter((entry) => entry.startsWith('asset.'));
    expect(readdirSync(join(output, asset))).toEqual(['index.mjs']);
    expect(readFileSync(join(output, asset, 'index.mjs'), 'utf8')).toBe(bundle);
  });

  test.each([
    [
      'a file that is missing',
      { config: 'nowhere.json' },
      /Could not read the settings file .*nowhere\.json/,
    ],
    ['a stage that is none', { stage: 'staging' }, /There is no stage "staging"/],
    ['a start that is still to come', { config: toCome }, /catalogues\.sandbox\.from: saw "2099-.*has come/],
  ])('says what is wrong with %s, in words alone', (name, context, message) => {
    const { status, stderr } = synth(name, context);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
