import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { App, Stack } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/topics.ts';
import { leanBundle } from '../../lib/bundle.ts';
import { certificatesLayer } from '../../lib/file-layer.ts';
import { startSnsEndpoint } from '../../sandbox/sns/endpoint.ts';
import { selfSigned } from '../../sandbox/tls/self-signed.ts';
import { page } from '../catalogue/http/fixtures/responses.ts';
import { serveSecurely } from '../catalogue/http/fixtures/server.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';

const authority = selfSigned({
  host: 'localhost',
  from: new Date('2020-01-01T00:00:00Z'),
  until: new Date('2049-12-31T00:00:00Z'),
});
const bundle = 'poll.cjs';
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  await build({
    ...leanBundle,
    entryPoints: ['lambdas/functions/poll/handler.ts'],
    outfile: join(folder, bundle),
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the bundle of poll reads a catalogue whose authority the layer holds', async () => {
  const { output, requests } = await pollWith({ NODE_EXTRA_CA_CERTS: layerFile() });
  expect(output).toContain('outcome:');
  expect(requests).toBeGreaterThan(0);
});

test('without the layer, it refuses the certificate', async () => {
  const { output, requests } = await pollWith({});
  expect(output).toContain('CATALOGUE_CERTIFICATE_REFUSED');
  expect(requests).toBe(0);
});

/** The file of the layer, as synthesis makes it of a file that holds a key too. */
function layerFile(): string {
  const given = join(folder, 'hospital-ca.pem');
  writeFileSync(given, `${authority.key}${authority.cert}`);
  const outdir = join(folder, 'cdk.out');
  const app = new App({ outdir });
  const stack = new Stack(app, 'Stack');
  certificatesLayer(stack, given);
  const { artifacts } = JSON.parse(readFileSync(join(app.synth().directory, 'manifest.json'), 'utf8'));
  const { files } = JSON.parse(
    readFileSync(join(outdir, artifacts['Stack.assets'].properties.file), 'utf8'),
  ) as {
    readonly files: Readonly<
      Record<string, { readonly source: { readonly path: string; readonly packaging: string } }>
    >;
  };
  const [layer] = Object.values(files).filter(({ source }) => source.packaging === 'zip');
  const file = join(outdir, layer?.source.path ?? '', 'certificates.pem');
  expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE KEY');
  return file;
}

/** One poll by the bundle in a process of its own. */
async function pollWith(trusted: Readonly<Record<string, string>>) {
  const { url, requests } = await serveSecurely(authority, page());
  const table = await openLocalTable();
  await createHistoryTable(table.dynamodb);
  const sns = await startSnsEndpoint({ topics, keep: false, onMessage: () => {} });
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const script = `
    const { handler } = await import(${JSON.stringify(join(folder, bundle))});
    const { outcome } = await handler({}, { awsRequestId: 'x', getRemainingTimeInMillis: () => 600000 });
    console.log('outcome:' + outcome);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      ...trusted,
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
      AWS_ENDPOINT_URL_SNS: sns.endpoint,
      CATALOGUE_NAME: 'uk',
      CATALOGUE_URL: `${url}/api/v1/`,
      ACCESS: 'none',
      TABLE_NAME: table.table,
      HISTORY_TABLE_NAME: 'history',
      TOPIC_ARNS: JSON.stringify(sns.topicArns),
      METRICS_NAMESPACE: 'GenePanelNotifier',
      OVERLAP_MINUTES: '15',
    },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await Promise.all([table.close(), sns.close()]);
  return { output: stdout + stderr, requests: requests.length };
}
