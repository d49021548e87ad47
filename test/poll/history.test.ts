import { describe, expect, test } from 'vitest';
import { silentLog } from '../../lambdas/run/log.ts';
import type { HistoryRecord } from '../../lambdas/store/history/history.ts';
import { createMemoryHistory } from '../store/history/memory-history.ts';
import { createMemoryStore } from '../store/memory-store.ts';
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
  const killAt = (access: number): void => {
    left = access;
  };
  return { ...harness, history, from, survive, killAt };
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

  test('is asked for nothing that came after what earlier runs published', async () => {
    const { poll, history, catalogue } = killedAt(Number.POSITIVE_INFINITY);
    const asked: string[] = [];
    const bodiesOf = (records: readonly HistoryRecord[]) => {
      asked.push(...records.map(({ id }) => id));
      return history.bodiesOf(records);
    };
    await poll({ history: { ...history, bodiesOf }, from: 0n });
    const published = new Set(history.kept.keys());
    for (let row = 0; row < 500; row++) {
      catalogue.clock.pass(1_000);
      catalogue.write('Gene: brca1 was marked as ready', { entity_name: 'BRCA1', entity_type: 'gene' });
    }
    asked.length = 0;
    await poll({ history: { ...history, bodiesOf } });
    expect(history.kept.size - published.size).toBeGreaterThan(400);
    expect(asked.filter((id) => !published.has(id)).length).toBeLessThan(5);
  });

  test('covers a quiet weekend once a poll of a sweep has read it, and no poll else writes anything then', async () => {
    const { poll, history, table, catalogue, from } = killedAt(Number.POSITIVE_INFINITY);
    await poll({ history, from });
    const friday = structuredClone(table);
    catalogue.clock.pass(60 * 3_600_000);
    await poll({ history });
    expect(table).toStrictEqual(friday);
    await poll({ history, notesCoverage: true });
    expect(await history.coverage()).toStrictEqual([
      { catalogue: 'test', since: from, until: catalogue.now },
    ]);
    expect(table.position).toMatchObject({ mark: friday.position?.mark, covered: catalogue.now });
    const noted = structuredClone(table);
    catalogue.clock.pass(29 * 60_000);
    await poll({ history, notesCoverage: true });
    expect(table).toStrictEqual(noted);
  });

  test('does not cover what a poll could not read, and what waits for its paired row', async () => {
    const { poll, history, table, catalogue, from } = killedAt(Number.POSITIVE_INFINITY);
    await poll({ history, from });
    const until = table.position?.mark;
    catalogue.clock.pass(60 * 3_600_000);
    catalogue.write('Gene: brca1 has been classified as Green List (High Evidence).', {
      entity_name: 'BRCA1',
      entity_type: 'gene',
    });
    await poll({ history, notesCoverage: true });
    expect(table.position?.waits).toBe(1);
    expect(await history.coverage()).toMatchObject([{ until }]);
  });

  test('is equal to the state once a run was killed at any step of a quiet poll, and the next one finished', async () => {
    for (let at = 1, killed = true; killed; at += 1) {
      const run = killedAt(Number.POSITIVE_INFINITY);
      await run.poll({ history: run.history, from: run.from });
      run.catalogue.clock.pass(60 * 3_600_000);
      run.killAt(at);
      await run.poll({ history: run.history, notesCoverage: true }).catch(() => {});
      killed = run.survive();
      run.catalogue.write('Deleted their comment');
      run.catalogue.clock.pass(3_600_000);
      const log: string[] = [];
      const watched = { ...silentLog, error: (message: string) => void log.push(message) };
      await run.poll({ history: run.history, log: watched });
      expect(log).toStrictEqual([]);
    }
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
      ledger: new Map(),
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

test('where the mark is moved to before the first poll, a row is late that an event of its entity followed', async () => {
  const { catalogue, poll, newEvents, table } = createHarness();
  const history = createMemoryHistory();
  const rate = (gene: string, list: string): void => {
    catalogue.clock.pass(60_000);
    catalogue.write(`Classified gene: ${gene} as ${list}`, { entity_name: gene, entity_type: 'gene' });
  };
  const before = catalogue.now;
  rate('BRCA1', 'Green List (high evidence)');
  rate('TP53', 'Green List (high evidence)');
  const from = catalogue.now + 1n;
  rate('BRCA1', 'Red List (low evidence)');
  catalogue.clock.pass(3_600_000);
  await poll({ history, from });
  const [first] = newEvents();
  if (!table.position) throw new Error('the first poll has kept no position');
  await createMemoryStore(table).moveMark(table.position, before);
  await poll({ history });
  const again = newEvents();
  expect(again.map(({ data }) => [data.entity?.name, data.late])).toEqual([
    ['BRCA1', false],
    ['BRCA1', true],
    ['TP53', false],
  ]);
  expect(again[0]).toEqual(first);
});
