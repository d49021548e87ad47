import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { leanBundle, plainBundle } from '../../lib/bundle.ts';
import type { Ratio } from './ratio.ts';

const ROUNDS = 11;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A bundle that only imports the three SDK clients: what any function of this kind loads. */
const bare = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  import { SNSClient } from '@aws-sdk/client-sns';
  export const handler = [DynamoDBClient, SecretsManagerClient, SNSClient];
`;

/** What the function needs to be loaded, so that its module can be evaluated. */
const environment = {
  ...process.env,
  AWS_REGION: 'eu-west-2',
  CATALOGUE_NAME: 'bench',
  CATALOGUE_URL: 'https://catalogue.example',
  ACCESS: 'none',
  TABLE_NAME: 'bench',
  METRICS_NAMESPACE: 'bench',
  TOPIC_ARNS: JSON.stringify(
    Object.fromEntries(
      [
        'classifications',
        'promotions',
        'tags',
        'membership',
        'annotations',
        'reviews',
        'panels',
        'unclassified',
      ].map((topic) => [topic, `arn:aws:sns:eu-west-2:000000000000:${topic}`]),
    ),
  ),
};

/** Load time and size of the function's bundle, for those of the bare clients. */
export async function bundleRatios(): Promise<Ratio[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bundle-'));
  try {
    const [bareFile, pollFile] = [join(directory, 'bare.mjs'), join(directory, 'poll.mjs')];
    await build({ ...plainBundle, stdin: { contents: bare, resolveDir: root }, outfile: bareFile });
    await build({ ...leanBundle, entryPoints: [join(root, 'lambdas/poll/handler.ts')], outfile: pollFile });
    const loads = [bareFile, pollFile].map(() => [] as number[]);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, file] of [bareFile, pollFile].entries()) loads[index]?.push(loadTime(file));
    }
    const [bareLoad = 0, pollLoad = 0] = loads.map(
      (times) => times.sort((one, other) => one - other)[ROUNDS >> 1],
    );
    const [bareSize, pollSize] = [(await stat(bareFile)).size, (await stat(pollFile)).size];
    const unit = '× the three SDK clients';
    return [
      { name: 'load time', ratio: pollLoad / bareLoad, unit, aim: 1.3 },
      {
        name: `size (${Math.round(pollSize / 1000)} kB for ${Math.round(bareSize / 1000)} kB)`,
        ratio: pollSize / bareSize,
        unit,
        aim: 1.3,
      },
    ];
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Milliseconds to import a bundle in a new process. */
function loadTime(file: string): number {
  const script = `const s = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - s); process.exit(0)`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: environment }));
}
