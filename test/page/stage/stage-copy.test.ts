import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { openStageCopy } from '../../../page/stage/stage-copy.ts';
import { createTestClock } from '../../run/test-clock.ts';

test('a copy that a killed process left in its folder is removed, so that copies never fill the disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'stage-copy-'));
  const folder = join(root, 'copy');
  mkdirSync(folder);
  writeFileSync(join(folder, 'left.sqlite'), 'x');
  const dynamodb = new DynamoDBClient({ region: 'eu-west-2' });
  const copy = openStageCopy({
    name: 'production',
    stateTable: 'state',
    historyTable: 'history',
    catalogues: ['uk'],
    ...{ dynamodb, clock: createTestClock(), explain: String, folder },
  });
  expect([existsSync(folder), existsSync(join(folder, 'left.sqlite'))]).toStrictEqual([true, false]);
  copy.close();
  expect(existsSync(folder)).toBe(false);
  dynamodb.destroy();
  rmSync(root, { recursive: true });
});
