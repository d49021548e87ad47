import { afterAll, describe, expect, test } from 'vitest';
import { createPanelStates } from '../../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { describePanelStates } from './behaviour.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

const now = (): number => Number(at('2026-06-01T00:00:00') / 1000n);

const file = openStateFile();
afterAll(() => file.close());

describePanelStates('in SQLite', (catalogue, retentionDays) =>
  createSqlitePanelStates({ file, catalogue, now, ...(retentionDays !== undefined && { retentionDays }) }),
);

test('entities of states that follow each other are read once, as they are kept', async () => {
  const read: string[] = [];
  const kept = createSqliteItems(file, { what: 'the states', table: 'panel_item', now });
  const within = (kind: string): string => `${kind}#read-once`;
  const items: ItemStore = {
    ...kept,
    get(partition, id) {
      if (partition.startsWith('state-entities')) read.push(id);
      return kept.get(partition, id);
    },
  };
  const states = createPanelStates({ items, within }, { now });
  const first = madeUpState();
  const [second, third] = ['BRCA1', 'BRCA2'].map((name, index) =>
    madeUpState({
      ...{ version: `3.${index + 2}`, validFrom: at(`2026-04-0${index + 1}T00:00:00`) },
      entities: [madeUpGene(name)],
    }),
  ) as [VersionState, VersionState];
  await states.save(first);
  await states.save(second);
  expect(await states.read(first)).toStrictEqual(first);
  expect(await states.newest(3)).toStrictEqual(second);
  expect(read).toStrictEqual([]);
  await states.save(third);
  // Two of them are kept in memory.
  expect(await states.read(first)).toStrictEqual(first);
  expect(read).toHaveLength(1);
  const others = createPanelStates({ items: kept, within }, { now });
  expect(await others.newest(3)).toStrictEqual(third);
});

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
