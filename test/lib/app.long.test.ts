import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { leanBundle } from '../../lib/bundle.ts';
import { runApp } from './run-app.ts';

const output = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(output, { recursive: true }));

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
  const code = assets.flatMap((asset) =>
    readdirSync(join(output, asset)).map((file) => readFileSync(join(output, asset, file), 'utf8')),
  );
  expect(code.some((text) => text === outputFiles[0]?.text)).toBe(true);
});
