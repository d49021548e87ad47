import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSqlitePanelStates } from '../../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteStore } from '../../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { runCommand, words } from '../../bin/run-command.ts';
import { newFolder } from '../../new-folder.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { cohort } from './cohort.ts';

const seeds = Number(process.env.SEEDS ?? 100);
const clock = createTestClock({ now: Date.UTC(2026, 2, 30), wokenByHand: true });

interface Row {
  readonly case: string;
  readonly change: string;
  readonly hgncId: string | null;
}

test.each(['working', 'signed-off'] as const)(
  `of ${seeds} cohorts tested by %s versions no case is missed, none found in vain`,
  async (counts) => {
    const root = newFolder();
    let compared = 0;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { states, signOffs, lines, truth } = cohort(seed, counts);
      const state = join(root, String(seed));
      const file = openStateFile(state);
      const store = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
      const source = 'https://panelapp.example/api/v1/';
      await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
      for (const each of states) await store.save(each);
      await store.saveSignOffs(signOffs);
      file.close();
      const cases = join(root, `${seed}.csv`);
      await writeFile(cases, `case,panel,version,date\n${lines.join('\n')}\n`);
      const args = words`impact --state ${state} --cases ${cases} --counts ${counts} --by case
        --format ndjson`;
      const { code, stdout, stderr } = await runCommand(args, { clock });
      expect([0, 4], stderr).toContain(code);
      expect(stderr, `seed ${seed}`).not.toMatch(/case-/);
      const found = new Map([...truth.keys()].map((name) => [name, new Set<string>()]));
      for (const line of stdout.split('\n').filter(Boolean)) {
        const { case: name, change, hgncId } = JSON.parse(line) as Row;
        found.get(name)?.add(change === 'unknown' ? change : `${change}: ${hgncId}`);
      }
      for (const [name, expected] of truth) {
        // A case of which something is unknown may have more effects than are known, and others fewer.
        if (expected.has('unknown'))
          expect(found.get(name)?.has('unknown'), `seed ${seed}, ${name}`).toBe(true);
        else
          expect([...(found.get(name) ?? [])].sort(), `seed ${seed}, ${name}`).toEqual([...expected].sort());
        compared += 1;
      }
    }
    expect(compared).toBe(seeds * 25);
  },
);
