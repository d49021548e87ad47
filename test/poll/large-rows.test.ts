import { describe, expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { bytesOf, CALL_BYTES } from '../../lambdas/publishing/message.ts';
import { stateItem } from '../../lambdas/store/dynamodb.ts';
import { packChunk } from '../../lambdas/store/dynamodb-position.ts';
import type { Chunk } from '../../lambdas/store/store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createHarness, textsOf } from './poll-harness.ts';

/** An item of the table may have 400 kB; the position has a few hundred bytes beside the chunk. */
const ITEM_BYTES = 400_000 - 2_000;

/** Characters that nothing compresses well, from `from` on. */
function noise(length: number, { from, count }: { from: number; count: number }): string {
  let state = 1;
  const characters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(from + ((state >>> 8) % count));
  });
  return characters.join('');
}

const cjk = (length: number): string => noise(length, { from: 0x4e00, count: 20_000 });
const ascii = (length: number): string => noise(length, { from: 0x30, count: 74 });

const rated = 'has been classified as Green List (High Evidence).';
const added = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert Review Green';

const large: Readonly<Record<string, Partial<Activity>>> = {
  'a name of 300,000 CJK characters': { text: `Gene: brca1 ${rated}`, user_name: cjk(300_000) },
  'an entity of 300,000 CJK characters': { text: 'Added comment: x', entity_name: cjk(300_000) },
  'a comment of a megabyte': { text: `Added comment: ${ascii(1_000_000)}` },
  'unrecognised text of a megabyte': { text: ascii(1_000_000) },
  'an added gene with five texts of 210,000 characters': {
    text: [
      added,
      `skewed tags were added to gene: BRCA1.`,
      `Publications for gene: BRCA1 were set to ${cjk(210_000)}`,
      `Phenotypes for gene: BRCA1 were set to ${cjk(210_001)}`,
      'Review for gene: BRCA1 was set to GREEN',
      `Added comment: ${cjk(210_002)} \nSources: Expert Review Green`,
    ].join('\n'),
  },
  'panel types of a megabyte': {
    text: `Panel types changed to ${Array.from({ length: 2000 }, (_, n) => `${n}${ascii(500)}`).join('; ')}`,
    item_type: 'panel',
    entity_name: null,
    entity_type: null,
  },
  'a panel name of 300,000 CJK characters': { text: `Gene: brca1 ${rated}`, panel_name: cjk(300_000) },
};

describe('a row is published, and the rows after it too, where it has', { tags: 'slow' }, () => {
  test.each(Object.entries(large))('%s', async (_what, given) => {
    const { catalogue, table, poll, newEvents } = createHarness();
    catalogue.write('commented on gene: BRCA1: old');
    await poll();
    catalogue.clock.pass(60_000);
    catalogue.write(given.text ?? '', given);
    catalogue.clock.pass(60_000);
    catalogue.write('commented on gene: BRCA1: after');
    catalogue.clock.pass(60_000);

    const store = createMemoryStore(table);
    const recorded: Chunk[] = [];
    await poll({
      store: {
        ...store,
        record: (position, chunk) => {
          recorded.push(chunk);
          return store.record(position, chunk);
        },
      },
    });
    const events = newEvents();
    expect(textsOf(events).at(-1)).toBe('commented on gene: BRCA1: after');
    expect(events.length).toBeGreaterThan(1);
    expect((await poll()).outcome).toBe('quiet');

    for (const chunk of recorded) {
      expect(packChunk(chunk).B?.length).toBeLessThan(ITEM_BYTES);
      for (const message of chunk.messages) expect(bytesOf(message)).toBeLessThanOrEqual(CALL_BYTES);
      for (const state of chunk.entities.values()) expect(sizeOf(stateItem(state, 1))).toBeLessThan(50_000);
      for (const state of chunk.panels.values()) expect(sizeOf(stateItem(state, 1))).toBeLessThan(50_000);
      for (const key of chunk.entities.keys()) expect(Buffer.byteLength(key)).toBeLessThan(1024);
    }
    expect(recorded.length).toBeGreaterThan(0);
  });
});

test('a row whose chunk the store cannot record is published with its texts cut', async () => {
  const { catalogue, table, poll, newEvents } = createHarness();
  catalogue.write('commented on gene: BRCA1: old');
  await poll();
  catalogue.clock.pass(60_000);
  const text = large['an added gene with five texts of 210,000 characters']?.text ?? '';
  catalogue.write(text);
  catalogue.clock.pass(60_000);
  const canRecord = (chunk: Chunk): boolean => (packChunk(chunk).B?.length ?? 0) < 50_000;
  await poll({ store: { ...createMemoryStore(table), canRecord } });
  const events = newEvents();
  expect(events.map(({ type }) => type)).toContain('gene-panel.entity.added.v1');
  for (const { data } of events) {
    const [row] = data.activities;
    expect(row).toMatchObject({ textTruncated: true, panel_name: 'Hearing loss' });
    expect(text.startsWith(String(row?.text))).toBe(true);
    expect(String(row?.text).length).toBeGreaterThan(1000);
  }
  expect((await poll()).outcome).toBe('quiet');
});

/** The bytes of an item, roughly. */
const sizeOf = (item: object): number =>
  Object.values(item as Record<string, { S?: string; B?: Uint8Array }>).reduce(
    (sum, { S = '', B }) => sum + Buffer.byteLength(S) + (B?.length ?? 0),
    0,
  );
