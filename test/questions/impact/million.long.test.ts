import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSqlitePanelStates } from '../../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteStore } from '../../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../../new-folder.ts';
import { at, madeUpGene, madeUpState } from '../../panels/made-up-states.ts';

const CASES = 1_000_000;
/** Megabytes that the program may use for what it keeps; a name of a case and one number take about a hundred bytes. */
const HEAP = 512;

test('a million cases are compared within bounded memory', async () => {
  const root = newFolder();
  const state = join(root, 'state');
  const file = openStateFile(state);
  const source = 'https://panelapp.example/api/v1/';
  await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
  const store = createSqlitePanelStates({ file, catalogue: 'uk', now: () => Date.UTC(2026, 10, 20) });
  const versions = [
    ['4.0', '2026-01-01', '2026-02-01', 'amber'],
    ['4.1', '2026-02-01', null, 'green'],
  ] as const;
  for (const [version, from, to, rating] of versions) {
    const times = { validFrom: at(`${from}T00:00:00`), validTo: to && at(`${to}T00:00:00`) };
    const entities = [madeUpGene('PALB2', { rating })];
    const panel = { panelId: 635, panelName: 'Breast cancer', relevantDisorders: ['R208'] };
    await store.save(
      madeUpState({ ...panel, version, entities, ...times, source: to ? 'archive' : 'present' }),
    );
  }
  file.close();
  const cases = join(root, 'cases.csv');
  const output = createWriteStream(cases);
  output.write('case,panel,version,date\n');
  for (let number = 0; number < CASES; number += 1) {
    // Every tenth case was analysed with the newer version; half of the others by their day.
    const cells = number % 10 === 0 ? '4.1,' : number % 2 === 0 ? '4.0,' : ',2026-01-15';
    if (!output.write(`referral-${number},R208,${cells}\n`)) await once(output, 'drain');
  }
  await new Promise<void>((resolve) => output.end(resolve));

  const program = join(import.meta.dirname, '../../../bin/gene-panel-notifier.js');
  const args = ['impact', '--state', state, '--cases', cases, '--format', 'ndjson'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${HEAP}`,
    program,
    ...args,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ change: 'now green', name: 'PALB2', cases: 0.9 * CASES });
});
