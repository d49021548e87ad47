import { afterAll, expect, test } from 'vitest';
import { createSqliteAnswers } from '../../lambdas/panels/sqlite-panel-states.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { bodyOf, key, testAnswerStore } from './answers.ts';

const file = openStateFile();
afterAll(() => file.close());

let catalogues = 0;
const open = (catalogue: string) => createSqliteAnswers(file, catalogue);
const newStore = () => open(`catalogue ${catalogues++}`);
const bytes = (): number =>
  Number(
    file.database
      .prepare("SELECT total(length(value)) AS bytes FROM panel_item WHERE partition GLOB 'answer*'")
      .get()?.bytes,
  );

testAnswerStore(() => ({ store: newStore(), bytes }));

test('a damaged answer is an error that says what to do', async () => {
  await open('damaged').keep(key({ panelId: 99 }), bodyOf());
  file.database.exec(`UPDATE panel_item SET value = '"KLUv/QA="' WHERE partition GLOB 'answer-bases#*#99'`);
  await expect(open('damaged').read(key({ panelId: 99 }))).rejects.toMatchObject({
    code: 'STATE_CORRUPT',
    message: expect.stringContaining('Restore a copy'),
  });
});
