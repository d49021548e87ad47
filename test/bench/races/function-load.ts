import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { topics } from '../../../lambdas/events/kinds.ts';
import { functionBundles, moduleBundle, plainBundle } from '../../../lib/bundle.ts';
import { childCpu } from '../child-cpu.ts';
import type { Figure, Race } from '../figure.ts';
import { openQuietPlaces } from '../quiet-function.ts';

const ROUNDS = 11;
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A bundle that only imports the three SDK clients: what any function of this kind loads. */
const bare = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  import { SNSClient } from '@aws-sdk/client-sns';
  export const handler = [DynamoDBClient, SecretsManagerClient, SNSClient];
`;

/** What the functions need to be loaded, so that their modules can be evaluated. */
const environment = (plan: string) => ({
  AWS_REGION: 'eu-west-2',
  CATALOGUE_NAME: 'bench',
  CATALOGUE_URL: 'https://catalogue.example',
  ACCESS: 'none',
  TABLE_NAME: 'bench',
  HISTORY_TABLE_NAME: 'bench',
  METRICS_NAMESPACE: 'bench',
  OVERLAP_MINUTES: '15',
  SHRUNKEN_PERCENT: '20',
  SAME_CHANGE_PERCENT: '20',
  PLAN_FILE: plan,
  TOPIC_PREFIX: 'arn:aws:sns:eu-west-2:000000000000:',
  DEAD_LETTER_QUEUE: 'https://sqs.example/queue',
  TOPIC_ARNS: JSON.stringify(
    Object.fromEntries(topics.map((topic) => [topic, `arn:aws:sns:eu-west-2:000000000000:${topic}`])),
  ),
});

/** Loads a bundle of poll as Lambda does, and runs it once. */
const quietRun = (bundle: string): string => `
  const context = { getRemainingTimeInMillis: () => 60_000 };
  require(${JSON.stringify(bundle)}).handler({}, context).then(({ outcome }) => {
    if (outcome !== 'begun' && outcome !== 'quiet') throw new Error('The poll was ' + outcome);
    process.exit(0);
  });
`;

/** CPU time to load each function's bundle, without that of Node itself, for what the bare clients take. */
export const functionLoad: Race = {
  name: 'function-load',
  title: 'The functions as deployed, loaded in a new process (CPU)',
  run: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'function-load-'));
    const places = await openQuietPlaces();
    try {
      const file = (name: string): string => join(directory, name);
      const stdin = { contents: bare, resolveDir: root };
      await build({ ...moduleBundle, stdin, outfile: file('bare.mjs') });
      await build({ ...plainBundle, stdin, outfile: file('bare.cjs') });
      const functions = ['poll', 'sweep', 'notify'];
      for (const name of functions) {
        for (const options of functionBundles(`lambdas/functions/${name}/handler.ts`, file(name)))
          await build({ ...options, absWorkingDir: root });
      }
      await writeFile(
        file('plan.json'),
        '{ "prefix": "p", "catalogues": [], "subscriptions": [], "operations": { "zone": "UTC", "channels": [] } }',
      );
      const files = ['bare.mjs', 'bare.cjs', ...functions.map((name) => `${name}/index.js`)];
      const env = environment(file('plan.json'));
      // As Lambda's runtime does: it imports an ES module and requires CommonJS.
      const load = (name: string) => {
        const path = JSON.stringify(file(name));
        const loading = name.endsWith('.mjs')
          ? `import(${path}).then(() => process.exit(0))`
          : `require(${path}); process.exit(0)`;
        return { args: ['--eval', loading], env };
      };
      const nothing = { args: ['--eval', 'process.exit(0)'] };
      // What is put off from the load to the first run is no saving.
      const firstRun = {
        args: ['--eval', quietRun(file('poll/index.js'))],
        env: { ...env, ...places.environment },
      };
      const [node = 0, quiet = 0, asModule = 0, asCommonJs = 0, ...loads] = await childCpu(
        [nothing, firstRun, ...files.map(load)],
        ROUNDS,
      );
      const bareSize = (await stat(file('bare.cjs'))).size;
      const figures: Figure[] = [];
      for (const [index, name] of functions.entries()) {
        const own = (loads[index] ?? Number.NaN) - node;
        const { size } = await stat(file(`${name}/index.js`));
        const baseline = 'the three SDK clients alone';
        figures.push(
          {
            name: `${name}: load`,
            value: own / (asModule - node),
            unit: '×',
            baseline: `${baseline}, ES module`,
            goal: 1.3,
          },
          {
            name: `${name}: load, for CommonJS`,
            value: own / (asCommonJs - node),
            unit: '×',
            baseline: `${baseline}, CommonJS`,
          },
          {
            name: `${name}: size`,
            detail: `${Math.round(size / 1000)} kB`,
            value: size / bareSize,
            unit: '×',
            baseline,
          },
        );
      }
      figures.push({
        name: 'poll: load and first quiet run',
        value: (quiet - node) / (asModule - node),
        unit: '×',
        baseline: 'the three SDK clients alone, ES module',
      });
      return { figures };
    } finally {
      await places.close();
      await rm(directory, { recursive: true });
    }
  },
};
