import { describe, expect, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { isRecordable, packChunk } from '../../lambdas/store/dynamodb-position.ts';
import type { Chunk } from '../../lambdas/store/store.ts';
import { eventsOf, row } from '../classifier/correlation/rows.ts';

/** DynamoDB's limit for an item, with room for the position itself. */
const ITEM_BYTES = 400_000 - 2_000;

/** Text that nothing can compress. */
function noise(length: number, seed = 1): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(33 + ((state >>> 16) % 94));
  }).join('');
}

const chunkOf = (rows: ReturnType<typeof row>[]): Chunk => ({
  messages: eventsOf(rows).map((event) => toMessage(event)),
  rows: rows.map(() => ({ key: 'f'.repeat(32), at: 1n })),
  entities: new Map(),
  panels: new Map(),
  next: { mark: 1n, count: 1, waits: 0, gap: null },
});

describe('a chunk fits into an item', () => {
  test('with any single row', () => {
    const sources = 'Sources: Expert Review Green\nskewed tags were added to gene: BRCA1.';
    const text = `gene: BRCA1 was added\ngene: BRCA1 was added to Hereditary breast cancer. ${sources}\nPhenotypes for gene: BRCA1 were set to ${noise(300_000)}\nReview for gene: BRCA1 was set to GREEN\nAdded comment: ${noise(300_000, 2)} \nSources: Expert Review Green`;
    const chunk = chunkOf([row(0, text)]);
    expect(chunk.messages.map(({ topic }) => topic)).toStrictEqual([
      'classifications',
      'tags',
      'membership',
      'reviews',
      'reviews',
    ]);
    expect(isRecordable(chunk)).toBe(true);
    expect(packChunk(chunk).B?.length).toBeLessThan(ITEM_BYTES);
  });

  test('or is known not to, and can be halved', () => {
    const rows = [1, 2, 3, 4].map((seed) => row(seed, `commented on gene: BRCA1: ${noise(150_000, seed)}`));
    expect(isRecordable(chunkOf(rows))).toBe(false);
    expect(isRecordable(chunkOf(rows.slice(0, 2)))).toBe(true);
  });
});
