import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { afterAll, describe, expect, test } from 'vitest';
import { notifierStacks } from '../../lib/notifier-stacks.ts';
import { readSettings } from '../../lib/read-settings.ts';
import { app, now } from './deploy.ts';
import { runApp } from './run-app.ts';

const cdkJson = JSON.parse(readFileSync('cdk.json', 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
  test('reports wrong settings without a stack trace', () => {
    const { status, stderr } = runApp(folder, { stage: 'staging' });
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
