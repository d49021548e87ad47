import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { startDynamoDbLocal } from '../dynamodb-local/start.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** The tests of everything that is kept in DynamoDB; `npm test` runs them on dynalite. */
const suites = [
  'test/store/dynamodb.test.ts',
  'test/store/documents.test.ts',
  'test/store/history/dynamodb.test.ts',
  'test/store/items.test.ts',
  'test/panels/dynamodb.test.ts',
  'test/questions/worklist/kept-in-dynamodb.test.ts',
  'test/page/people-table/people-table.test.ts',
];

/** State, documents, history, outbox and panel states behave on Amazon's own server as they do on dynalite. */
export async function checkStores({
  aws,
  checks,
  say,
}: Pick<ScenarioContext, 'aws' | 'checks' | 'say'>): Promise<void> {
  const otherwise = { name: 'the emulator', endpoint: aws.AWS_ENDPOINT_URL };
  const server = await startDynamoDbLocal({ clock, env: process.env, say, otherwise });
  try {
    await checks.check(
      `state, documents, history, outbox, panel states, worklist and people pass their suites on ${server.name}`,
      async () => {
        const vitest = spawn('vitest', ['run', '--reporter=dot', ...suites], {
          env: { ...process.env, NO_COLOR: '1', DYNAMODB_TEST_ENDPOINT: server.endpoint },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const written: string[] = [];
        for (const stream of [vitest.stdout, vitest.stderr]) {
          stream.on('data', (chunk: Buffer) => written.push(chunk.toString()));
        }
        const [code] = await once(vitest, 'close');
        const output = written.join('');
        assert.equal(code, 0, output.slice(-6000));
        assert.match(output, /Test Files .*\b7 passed/);
      },
    );
  } finally {
    await server.stop();
  }
}
