import { afterAll, expect, test } from 'vitest';
import { createSqliteAnswers } from '../../lambdas/panels/sqlite-answers.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { bodyOf, key, testAnswerStore } from './answers.ts';

const file = openStateFile();
afterAll(() => file.close());

let catalogues = 0;
const newStore = () => createSqliteAnswers(file, `catalogue ${catalogues++}`);
const bytes = (): number =>
  Number(
    file.database
      .prepare(
        'SELECT (SELECT total(length(body)) FROM panel_answer) + (SELECT total(length(body)) FROM panel_answer_base) AS bytes',
      )
      .get()?.bytes,
  );

testAnswerStore(() => ({ store: newStore(), bytes }));

test('a damaged answer is an error that says what to do', async () => {
  const store = newStore();
  await store.keep(key({ panelId: 99 }), bodyOf());
  file.database.exec("UPDATE panel_answer_base SET body = x'28b52ffd00' WHERE panel = 99");
  await expect(store.read(key({ panelId: 99 }))).rejects.toMatchObject({
    code: 'STATE_CORRUPT',
    message: expect.stringContaining('Restore a copy'),
  });
});
