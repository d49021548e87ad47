import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { type EventFacts, factsOf } from '../../../lambdas/filters/filter.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import type { StatedKey } from '../../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { createSqliteStatedValues, forgetStatedValues } from '../../../lambdas/store/history/sqlite-names.ts';
import { openStateFile, type StateFile } from '../../../lambdas/store/sqlite-file.ts';
import { anyEvent, pools } from '../../events/any-event.ts';
import { keep } from './behaviour.ts';

const keys: readonly StatedKey[] = ['panelTypes', 'rCodes', 'tags', 'actors'];

const openFile = (): StateFile => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  return file;
};

const sampleOf = (numRuns: number): PanelEvent[] => [
  ...new Map(fc.sample(anyEvent, { seed: 7, numRuns }).map((event) => [event.id, event])).values(),
];

const statedBy = (event: PanelEvent, key: StatedKey): readonly string[] => {
  const { actor, ...facts } = factsOf(event);
  if (key === 'actors') return actor === null ? [] : [actor];
  return facts[key];
};

/** What the history says of each value of every event, and of one that none has, against a search through the events. */
async function expectSameAsSearch(file: StateFile, events: readonly PanelEvent[]): Promise<void> {
  const history = createSqliteHistory(file);
  for (const key of keys) {
    for (const value of new Set(['nosuch', ...events.flatMap((event) => statedBy(event, key))])) {
      for (const catalogue of pools.catalogues) {
        const having = events.filter((event) => statedBy(event, key).includes(value));
        const inCatalogue = having.some(({ data }) => data.catalogue === catalogue);
        expect(await history.states(key, value, catalogue), `${key} ${value} ${catalogue}`).toBe(inCatalogue);
        expect(await history.states(key, value)).toBe(having.length > 0);
      }
    }
  }
}

test('the values of events are kept, by catalogue, also of what another process appends', async () => {
  const file = openFile();
  const events = sampleOf(120);
  await keep(createSqliteHistory(file), events.slice(0, 60));
  await keep(createSqliteHistory(file), events.slice(60));
  await expectSameAsSearch(file, events);
});

test('values are kept again where the transaction that added them was undone', async () => {
  const file = openFile();
  const history = createSqliteHistory(file);
  const event = sampleOf(20).find(({ data }) => data.actor !== null) as PanelEvent;
  file.database.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON coverage BEGIN SELECT raise(ABORT, 'the disk is full'); END",
  );
  const append = () =>
    history.append([toMessage(event)], { catalogue: event.data.catalogue, since: 0n, until: 1n });
  await expect(append()).rejects.toThrow('the disk is full');
  file.database.exec('DROP TRIGGER refuse');
  await append();
  await expectSameAsSearch(file, [event]);
});

test('values that only forgotten events have are forgotten with them, and kept again once an event has them', async () => {
  const file = openFile();
  const stated = createSqliteStatedValues(file);
  const [facts] = sampleOf(20).flatMap((event) => (event.data.actor === null ? [] : [factsOf(event)]));
  const appendAt = (seq: number): void =>
    file.transaction(() => stated.keep((learn) => learn(facts as EventFacts, seq)));
  const isKept = (): boolean => stated.has('actors', facts?.actor ?? '', undefined);
  appendAt(1);
  appendAt(900);
  forgetStatedValues(file, 900);
  expect(isKept()).toBe(true);
  forgetStatedValues(file, 2_000);
  expect(isKept()).toBe(false);
  appendAt(2_000);
  expect(isKept()).toBe(true);
});
