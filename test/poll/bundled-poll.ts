import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { topics } from '../../lambdas/events/kinds.ts';
import { leanBundle } from '../../lib/bundle.ts';
import type { SnsEndpoint } from '../publishing/sns/endpoint.ts';
import type { LocalTable } from '../store/local-table.ts';

/** Bundles the poll function as it is deployed; returns the file in the directory. */
export async function bundlePoll(directory: string): Promise<string> {
  const bundle = join(directory, 'poll.cjs');
  const entry = fileURLToPath(new URL('../../lambdas/functions/poll/handler.ts', import.meta.url));
  await build({ ...leanBundle, entryPoints: [entry], outfile: bundle });
  return bundle;
}

interface Surroundings {
  readonly log: { readonly url: string };
  readonly table: LocalTable;
  readonly sns: SnsEndpoint<(typeof topics)[number]>;
}

/** The environment of that function. */
export const pollEnvironment = ({ log, table, sns }: Surroundings): Record<string, string> => ({
  AWS_REGION: 'eu-west-2',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'canary-of-the-function',
  AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
  AWS_ENDPOINT_URL_SNS: sns.endpoint,
  CATALOGUE_NAME: 'uk',
  CATALOGUE_URL: log.url,
  ACCESS: 'none',
  TABLE_NAME: table.table,
  HISTORY_TABLE_NAME: 'history',
  TOPIC_ARNS: JSON.stringify(sns.topicArns),
  METRICS_NAMESPACE: 'GenePanelNotifier',
  OVERLAP_MINUTES: '15',
});
