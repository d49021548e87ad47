import { expect, onTestFinished, test, vi } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { startSnsEndpoint } from '../publishing/sns/endpoint.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';

const HOUR = 3_600_000;

test('the deployed function publishes what its catalogue and another one of the deployment disagree about', async () => {
  const past = { ...clock, now: () => clock.now() - HOUR };
  const [catalogue, sns, local] = await Promise.all([
    startCatalogue({ clock: past, history: 40, seed: 4 }),
    startSnsEndpoint({ topics }),
    openLocalTable(),
  ]);
  const { dynamodb } = local;
  const table = await createHistoryTable(dynamodb, `history-${local.table}`);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await Promise.all([catalogue.close(), sns.close(), local.close()]);
  });
  const environment = {
    ...{ AWS_REGION: 'eu-west-2', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: local.endpoint, AWS_ENDPOINT_URL_SNS: sns.endpoint },
    ...{ CATALOGUE_NAME: 'uk', CATALOGUE_URL: catalogue.url, ACCESS: 'none', METRICS_NAMESPACE: 'test' },
    ...{ TABLE_NAME: local.table, HISTORY_TABLE_NAME: table, TOPIC_ARNS: JSON.stringify(sns.topicArns) },
    ...{
      OVERLAP_MINUTES: '0',
      SHRUNKEN_PERCENT: '20',
      SAME_CHANGE_PERCENT: '20',
      FOLLOWED_PANELS: '{"panels":[],"types":[],"codes":[]}',
    },
    PANEL_STATES: '{"secondsBetween":0,"requestsPerDay":100000,"requestsPerWeek":700000}',
    COMPARED_WITH: '[{"catalogue":"australia"}]',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const sweep = await import('../../lambdas/functions/sweep/handler.ts');
  const prove = await import('../../lambdas/functions/prove/handler.ts');
  const context = { getRemainingTimeInMillis: () => 10 * 60_000 };
  const disagreements = (): readonly PanelEvent[] =>
    sns.received.filter(({ topic }) => topic === 'disagreements').map(({ body }) => JSON.parse(body));

  await sweep.handler({}, context);
  expect(await prove.handler({}, context)).toMatchObject({ outcome: 'done' });
  const open = (name: string) => createDynamoPanelStates({ dynamodb, table, catalogue: name, clock });
  const [uk, australia] = [open('uk'), open('australia')];
  const panels = await uk.panels();
  expect(panels.length).toBeGreaterThan(3);
  for (const { panelId } of panels) {
    const state = await uk.newest(panelId);
    if (state) await australia.save(state);
  }
  await prove.handler({}, context);
  expect(disagreements()).toEqual([]);

  const state = await uk.newest(panels[0]?.panelId ?? 0);
  const turned = state?.entities.find(({ rating, hgncId }) => rating === 'green' && hgncId !== null);
  if (!state || !turned) throw new Error('the first panel has no green gene');
  await australia.save({
    ...state,
    ...{ version: '99.0', validFrom: state.readAt + 1n, readAt: state.readAt + 2n, sha256: 'another' },
    entities: state.entities.map((each) => (each === turned ? { ...each, rating: 'amber' as const } : each)),
  });
  await prove.handler({}, context);
  await prove.handler({}, context);
  expect(disagreements()).toMatchObject([
    {
      data: {
        ...{ catalogue: 'uk', panel: { id: state.panelId }, entity: { name: turned.name } },
        change: { from: 'agreed', to: 'here', there: { catalogue: 'australia', rating: 'amber' } },
      },
    },
  ]);
  expect(written.mock.calls.join('\n')).toContain('Compared with another catalogue');
});
