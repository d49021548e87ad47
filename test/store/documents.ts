import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Documents } from '../../lambdas/store/documents.ts';

/** Opens the documents of a catalogue as one run sees them. */
export type OpenDocuments = (catalogue: string, runId?: string) => Documents;

/** Text that does not compress well, of about so many bytes. */
export const longText = (bytes: number, seed = 1): string =>
  createHash('shake256', { outputLength: bytes / 2 })
    .update(String(seed))
    .digest('hex');

/** What every store of documents does. */
export function describeDocuments(where: string, open: OpenDocuments): void {
  describe(`documents ${where}`, () => {
    test('there are none to begin with', async () => {
      expect(await open('none').load('listing')).toBeNull();
    });

    test('a document comes back as it was saved, with a version that grows', async () => {
      const documents = open('kept');
      expect(await documents.save('listing', 0, '{"panels":"Ünï"}')).toBe(1);
      expect(await documents.save('listing', 1, 'second')).toBe(2);
      expect(await open('kept').load('listing')).toEqual({ version: 2, body: 'second' });
    });

    test('a document that is larger than an item comes back whole', { tags: 'slow' }, async () => {
      const body = longText(1_000_000);
      await open('large').save('listing', 0, body);
      await open('large').save('listing', 1, `${body}!`);
      expect((await open('large').load('listing'))?.body).toBe(`${body}!`);
    });

    test('a writer that read an older version is refused and changes nothing', async () => {
      await open('raced').save('listing', 0, 'first');
      await open('raced', 'other').save('listing', 1, 'other');
      await expect(open('raced').save('listing', 1, 'mine')).rejects.toMatchObject({
        code: 'STATE_CONFLICT',
      });
      expect(await open('raced').load('listing')).toEqual({ version: 2, body: 'other' });
    });

    test('of two writers that begin at once, one is refused', async () => {
      const saves = await Promise.allSettled([
        open('begun', 'one').save('listing', 0, 'one'),
        open('begun', 'two').save('listing', 0, 'two'),
      ]);
      expect(saves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const kept = saves[0].status === 'fulfilled' ? 'one' : 'two';
      expect((await open('begun').load('listing'))?.body).toBe(kept);
    });

    test('documents of different names and catalogues are apart', async () => {
      await open('here').save('listing', 0, 'here');
      expect(await open('there').load('listing')).toBeNull();
      expect(await open('here').load('digest')).toBeNull();
    });
  });
}
