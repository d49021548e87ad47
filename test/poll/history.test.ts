import { describe, expect, test } from 'vitest';
import { silentLog } from '../../lambdas/log/log.ts';
import { createMemoryHistory } from '../history/memory-history.ts';
import { createHarness } from './poll-harness.ts';

/** A log of some rows, and a poller whose run is killed at the `at`th access. */
function killedAt(at: number) {
  let left = at;
  const step = async (): Promise<void> => {
    if (--left === 0) throw new Error('killed');
  };
  const harness = createHarness({ step });
  const history = createMemoryHistory(step);
  const { catalogue } = harness;
  const from = catalogue.now;
  for (const gene of ['BRCA1', 'BRCA2', 'TP53']) {
    catalogue.clock.pass(60_000);
    catalogue.write(`Classified gene: ${gene} as Green List (high evidence)`, {
      entity_name: gene,
      entity_type: 'gene',
    });
  }
  catalogue.clock.pass(3_600_000);
  /** Whether a run was killed; no later run is. */
  const survive = (): boolean => {
    const killed = left <= 0;
    left = Number.POSITIVE_INFINITY;
    return killed;
  };
  return { ...harness, history, from, survive };
}

describe('the history', () => {
  test('holds what was published, and covers the log from the start to the mark', async () => {
    const { poll, history, accepted, table, from } = killedAt(Number.POSITIVE_INFINITY);
    await poll({ history, from });
    expect(accepted.length).toBeGreaterThan(2);
    expect([...history.kept.values()]).toStrictEqual(accepted);
    expect(await history.coverage()).toStrictEqual([
      { catalogue: 'test', since: from, until: table.position?.mark },
    ]);
  });

  test('is equal to what was published once a run was killed at any step and the next one finished', async () => {
    let at = 0;
    for (let killed = true; killed; ) {
      at++;
      const run = killedAt(at);
      await run.poll({ history: run.history, from: run.from }).catch(() => {});
      killed = run.survive();
      await run.poll({ history: run.history, from: run.from });
      const published = new Map(run.accepted.map((message) => [message.id, message.body]));
      const kept = new Map([...run.history.kept].map(([id, { body }]) => [id, body]));
      expect(kept).toStrictEqual(published);
      expect(kept.size).toBeGreaterThan(2);
    }
    expect(at).toBeGreaterThan(8);
  });

  test('holds the body that is published again, where the mark was set back', async () => {
    const { poll, history, accepted, table, from, catalogue } = killedAt(Number.POSITIVE_INFINITY);
    await poll({ history, from });
    const first = accepted.splice(0);
    if (!table.position) throw new Error('nothing was polled');
    // The known ratings stay: an event made anew would say "green, as before".
    Object.assign(table, {
      ledger: [],
      position: { ...table.position, mark: from, count: null, covered: table.position.mark },
    });
    catalogue.clock.pass(60_000);
    await poll({ history });
    expect(accepted).toStrictEqual(first);
  });

  test('shows that the state alone was restored, and that it alone was', async () => {
    const { poll, history, table, from, catalogue } = killedAt(Number.POSITIVE_INFINITY);
    await poll({ history, from });
    const [stateBefore, historyBefore] = [structuredClone(table), history.copy()];
    catalogue.write('Deleted their comment');
    catalogue.clock.pass(3_600_000);
    expect((await poll({ history })).anomalies).toStrictEqual([]);
    const stateAfter = structuredClone(table);

    Object.assign(table, stateBefore);
    const warned: string[] = [];
    const log = {
      ...silentLog,
      error: (_text: string, { found }: Record<string, unknown> = {}) => void warned.push(String(found)),
    };
    expect((await poll({ history, log })).anomalies).toStrictEqual(['state-set-back']);
    expect((await poll({ history, log })).anomalies).toStrictEqual([]);

    Object.assign(table, stateAfter);
    catalogue.write('Deleted their comment');
    catalogue.clock.pass(3_600_000);
    expect((await poll({ history: historyBefore, log })).anomalies).toStrictEqual(['state-set-back']);
    expect((await poll({ history: historyBefore, log })).anomalies).toStrictEqual([]);
    expect(warned).toStrictEqual([
      expect.stringContaining('The history goes on after the state'),
      expect.stringContaining('The history ends before the state'),
    ]);
  });

  test('stops a poll that cannot append, with the mark unchanged', async () => {
    const { poll, history, table, from } = killedAt(Number.POSITIVE_INFINITY);
    const failing = { ...history, append: () => Promise.reject(new Error('full')) };
    await expect(poll({ history: failing, from })).rejects.toThrow('full');
    expect(table.position?.mark).toBe(from);
  });
});
