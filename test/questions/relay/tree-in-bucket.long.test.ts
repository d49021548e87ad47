import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyTree } from '../../../bin/relay/tree-in-folder.ts';
import { openTreeInBucket } from '../../../lambdas/questions/relay/relay-of-stage.ts';
import { writeTree } from '../../../lambdas/questions/relay/write-tree.ts';
import { loadRows } from '../../../lambdas/store/history/kept-rows.ts';
import { createS3Objects } from '../../../lambdas/store/objects-s3.ts';
import { newFolder } from '../../new-folder.ts';
import { type LocalBucket, startBucket } from '../../store/s3-server.ts';
import { relayOf } from './as-the-catalogue.ts';
import { DAY, type Followed, follow, readAll } from './followed.ts';

const origin = 'http://relay.example';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

let runs = 0;

/** What a run of the stage does, with the rows from its history. */
async function write({ harness }: Followed, { s3 }: Pick<LocalBucket, 's3'>) {
  runs += 1;
  const rows = await loadRows(harness.relaySource.history, 'uk');
  const place = await openTreeInBucket(createS3Objects({ s3, bucket: 'tree' }), {
    spool: newFolder(),
    run: `run-${runs}`,
  });
  const sources = new Map([['uk', { ...harness.relaySource, rows }]]);
  return (await writeTree(place, { sources, origin, key: privateKey, versions: true })).get('uk');
}

async function verified(objects: LocalBucket['objects']) {
  const folder = newFolder();
  for (const [name, body] of objects) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), body);
  }
  return verifyTree(folder, publicKey);
}

async function openBucket(): Promise<LocalBucket> {
  const bucket = await startBucket();
  onTestFinished(() => bucket.close());
  return bucket;
}

async function openFollowed(): Promise<Followed> {
  const followed = await follow();
  onTestFinished(async () => {
    await followed.harness.close();
    await followed.catalogue.close();
  });
  return followed;
}

const act = ({ clock, catalogue }: Followed): void => {
  for (let count = 0; count < 3; count += 1) {
    catalogue.act();
    clock.pass(60_000);
  }
};

test('a tree in a bucket is what the relay answers; a second run puts nothing, a later one what changed', async () => {
  const followed = await openFollowed();
  const bucket = await openBucket();
  const { objects, changes, headers } = bucket;
  await expect(write(followed, bucket)).rejects.toThrow(
    'the panels of the catalogue have not been listed yet',
  );
  expect(objects.size).toBe(0);
  await readAll(followed);
  const first = await write(followed, bucket);
  expect(first?.changed).toBe(first?.files);
  const notAsAnswered = async (): Promise<readonly string[]> => {
    const ask = relayOf(followed.harness.relaySource, followed.clock.now);
    const different = [];
    for (const [name, body] of objects) {
      const [, folder, query = ''] = /^(.*\/)@([^/]*)\.json$/.exec(name) ?? [];
      if (folder === undefined) continue;
      const answer = await ask(`/${folder}${query && '?'}${query}`);
      if (!Buffer.from(await answer.arrayBuffer()).equals(body)) different.push(name);
    }
    return different;
  };
  expect(await notAsAnswered()).toEqual([]);
  expect([...objects.keys()].filter((name) => name.startsWith('pending/'))).toEqual([]);
  expect(await verified(objects)).toMatchObject({ problems: [], isBeingWritten: false });

  changes.length = 0;
  expect(await write(followed, bucket)).toMatchObject({ files: first?.files, changed: 0 });
  expect(changes).toEqual([]);

  followed.clock.pass(DAY);
  act(followed);
  await readAll(followed);
  const later = await write(followed, bucket);
  expect(later?.newDays).toEqual(['2026-11-20']);
  expect(later?.changed).toBeLessThan((later?.files ?? 0) / 2);
  expect(await notAsAnswered()).toEqual([]);
  const day = 'uk/at/2026-11-20/api/v1/panels/@.json';
  expect(headers.get(day)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(headers.get('uk/api/v1/panels/@.json')).toMatchObject({ 'cache-control': 'no-cache' });
  expect(changes[0]).toMatch(/^PUT pending\/run-\d+\/SHA256SUMS$/);
  expect(changes.slice(-4).map((one) => one.split('/').at(-1))).toEqual([
    'PUT SHA256SUMS',
    'PUT SHA256SUMS.sig',
    'SHA256SUMS',
    'SHA256SUMS.sig',
  ]);
  expect(await verified(objects)).toMatchObject({ problems: [], isBeingWritten: false });

  // What nothing names any longer goes, and a day stays as it is.
  changes.length = 0;
  objects.set(
    'SHA256SUMS',
    Buffer.concat([
      objects.get('SHA256SUMS') ?? Buffer.of(),
      Buffer.from(`${'0'.repeat(64)}  uk/old.json\n`),
    ]),
  );
  objects.set('uk/old.json', Buffer.from('{}'));
  await write(followed, bucket);
  expect(objects.has('uk/old.json')).toBe(false);
  expect(changes.filter((one) => one.startsWith('PUT uk/'))).toEqual([]);
});

test('a run that dies between any two puts leaves what verifies, and the next one finishes', async () => {
  const followed = await openFollowed();
  const bucket = await openBucket();
  await readAll(followed);
  await write(followed, bucket);
  const before = new Map(bucket.objects);
  followed.clock.pass(DAY);
  act(followed);
  await readAll(followed);
  bucket.changes.length = 0;
  await write(followed, bucket);
  const [all, after] = [bucket.changes.length, new Map(bucket.objects)];
  expect(all).toBeGreaterThan(50);
  const stride = Math.max(1, Math.floor(all / 5));
  for (let puts = 0; puts < all; puts += puts < 3 || puts > all - 5 ? 1 : stride) {
    bucket.objects.clear();
    for (const [name, body] of before) bucket.objects.set(name, body);
    bucket.dieAfter(puts);
    await expect(write(followed, bucket)).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' });
    expect((await verified(bucket.objects)).problems).toEqual([]);
    // One more dies, later or earlier.
    bucket.dieAfter((puts * 7) % all);
    await write(followed, bucket).catch(() => {});
    expect((await verified(bucket.objects)).problems).toEqual([]);
    bucket.dieAfter(Number.POSITIVE_INFINITY);
    await write(followed, bucket);
    expect([...bucket.objects].toSorted()).toEqual([...after].toSorted());
  }
});

test('a file that was changed in the bucket is found, also while a tree is written', async () => {
  const followed = await openFollowed();
  const bucket = await openBucket();
  await readAll(followed);
  await write(followed, bucket);
  act(followed);
  await readAll(followed);
  bucket.dieAfter(6);
  await expect(write(followed, bucket)).rejects.toThrow();
  expect(await verified(bucket.objects)).toMatchObject({ problems: [], isBeingWritten: true });
  bucket.objects.set('uk/api/v1/panels/@.json', Buffer.from('{}'));
  bucket.objects.set('uk/more.json', Buffer.from('{}'));
  expect((await verified(bucket.objects)).problems).toEqual([
    'uk/api/v1/panels/@.json has another content than was signed.',
    'uk/more.json is in no manifest.',
  ]);
});
