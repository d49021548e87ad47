import { describe, expect, test } from 'vitest';
import { minutes } from '../../lambdas/run/instant.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

describe('a row without a usable time, above all others', () => {
  test.each([null, undefined, '9999-12-31T23:59:59Z', '2026-02-31T12:00:00Z', 'soon'])(
    '(created: %j) is published once, however far the log moves',
    async (created) => {
      const { catalogue, poll, newEvents } = createHarness();
      catalogue.write(comment('old'));
      await poll();
      catalogue.writeUnplaced(comment('bad'), created);
      for (let index = 0; index < 30; index++) {
        catalogue.clock.pass(600_000);
        catalogue.write(comment(`new ${index}`));
        await poll();
      }
      const texts = textsOf(newEvents());
      expect(texts.filter((text) => text === comment('bad'))).toHaveLength(1);
      expect(texts).toHaveLength(31);
    },
  );

  test('is not published by a first poll that begins at the newest row', async () => {
    const { catalogue, poll, newEvents } = createHarness();
    catalogue.write(comment('old'));
    catalogue.writeUnplaced(comment('bad'), null);
    await poll();
    catalogue.clock.pass(86_400_000);
    catalogue.write(comment('new'));
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('new')]);
  });
});

test.each([
  ['with a usable time', { panel_id: 'x' }],
  ['without a usable time', { created: null }],
])('an invalid row %s alone on the last page is published once', async (_what, wrong) => {
  const { catalogue, poll, newEvents } = createHarness({ pageSize: 10 });
  for (let index = 0; index <= 10; index++)
    catalogue.write(comment(`${index}`), { at: noon - minutes(index) });
  Object.assign(catalogue.rows[10]?.row ?? {}, wrong);
  await poll({ from: noon - minutes(60) });
  const events = newEvents();
  expect(events).toHaveLength(11);
  expect(events.filter(({ type }) => type === 'gene-panel.activity.unclassified.v1')).toHaveLength(1);
  catalogue.clock.pass(60_000);
  catalogue.write(comment('new'));
  await poll();
  expect(textsOf(newEvents())).toStrictEqual([comment('new')]);
});

test('a row of a deleted panel, whose id is null, is published as the event that its text states', async () => {
  const { catalogue, poll, newEvents } = createHarness();
  catalogue.write(comment('old'));
  await poll();
  catalogue.clock.pass(60_000);
  const deleted = { panel_id: null, panel_name: 'Retired panel' };
  catalogue.write('Classified gene: BRCA1 as Amber List (moderate evidence)', deleted);
  catalogue.clock.pass(60_000);
  catalogue.write('Classified gene: BRCA1 as Green List (high evidence)', deleted);
  catalogue.write('Classified gene: BRCA1 as Red List (low evidence)', {
    panel_id: null,
    panel_name: 'Other',
  });
  await poll();
  const events = newEvents();
  expect(events.map(({ data }) => [data.panel, data.change])).toStrictEqual(
    expect.arrayContaining([
      [
        { id: null, name: 'Retired panel', version: '2.1' },
        { from: 'amber', to: 'green', direction: 'upgraded' },
      ],
      [{ id: null, name: 'Other', version: '2.1' }, expect.objectContaining({ from: null, to: 'red' })],
    ]),
  );
  expect(events.map((event) => 'subject' in event)).toStrictEqual([false, false, false]);
});
