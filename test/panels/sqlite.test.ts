import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { describePanelStates } from './behaviour.ts';
import { at, madeUpState } from './made-up-states.ts';

const now = (): number => Number(at('2026-06-01T00:00:00') / 1000n);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'panel-states-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const file = openStateFile();
afterAll(() => file.close());

describePanelStates('in SQLite', (catalogue, retentionDays) =>
  createSqlitePanelStates({ file, catalogue, now, ...(retentionDays !== undefined && { retentionDays }) }),
);

describe('panel states in a file', () => {
  test('that is damaged are an error that says what to do', async () => {
    const folder = newFolder();
    const opened = openStateFile(folder);
    await createSqlitePanelStates({ file: opened, catalogue: 'uk', now }).save(madeUpState());
    opened.database.exec("UPDATE panel_item SET value = x'00' WHERE partition GLOB 'state-entities#*'");
    opened.close();
    const again = openStateFile(folder);
    await expect(
      createSqlitePanelStates({ file: again, catalogue: 'uk', now }).newest(3),
    ).rejects.toMatchObject({ code: 'STATE_CORRUPT', message: expect.stringContaining('Restore a copy') });
    again.close();
  });
});
