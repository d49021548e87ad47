import { vi } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { startSnsEndpoint } from '../publishing/sns/endpoint.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';

const row = (panel: number, text: string) => ({
  panel_name: `Panel ${panel}`,
  panel_id: panel,
  panel_version: '1.1',
  user_name: 'A curator',
  item_type: 'entity',
  text,
  entity_name: 'BRCA1',
  entity_type: 'gene',
});

/**
 * The log lines of three polls by the function itself: one publishes, one finds half of the rows gone, one is
 * refused by the catalogue.
 */
export async function writtenLog(): Promise<readonly string[]> {
  const table = await openLocalTable();
  const sns = await startSnsEndpoint({ topics });
  const catalogue = await startCatalogue({ clock, lists: { activities: [] } });
  const written: string[] = [];
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  const variables = {
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ENDPOINT_URL_SNS: sns.endpoint,
    CATALOGUE_NAME: 'uk',
    CATALOGUE_URL: catalogue.url,
    ACCESS: 'none',
    TABLE_NAME: table.table,
    HISTORY_TABLE_NAME: await createHistoryTable(table.dynamodb),
    TOPIC_ARNS: JSON.stringify(sns.topicArns),
    METRICS_NAMESPACE: 'panels',
    OVERLAP_MINUTES: '15',
    START_FROM: '2026-01-01T00:00:00Z',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    const { handler } = await import('../../lambdas/functions/poll/handler.ts');
    const poll = () => handler({}, { getRemainingTimeInMillis: () => 300_000 });
    catalogue.addRows([row(1, 'Classified gene: BRCA1 as Amber List (moderate evidence)')], {
      lateMs: 86_400_000,
    });
    catalogue.addRows([row(2, 'Classified gene: BRCA1 as Green List (high evidence)')], {
      lateMs: 3_600_000,
    });
    await poll();
    catalogue.hidePanel(2);
    await poll();
    catalogue.fail({ kind: 'status', status: 403 }, { times: 10 });
    await poll().catch(() => undefined);
  } finally {
    output.mockRestore();
    vi.unstubAllEnvs();
    await Promise.all([catalogue.close(), sns.close(), table.close()]);
  }
  return written
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'));
}
