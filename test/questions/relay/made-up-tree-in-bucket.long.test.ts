import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyTree } from '../../../bin/relay/tree-in-folder.ts';
import { openTreeInBucket } from '../../../lambdas/questions/relay/relay-of-stage.ts';
import { PUBLIC_KEY, signManifest } from '../../../lambdas/questions/relay/write-tree.ts';
import { createS3Objects } from '../../../lambdas/store/objects-s3.ts';
import { newFolder } from '../../new-folder.ts';
import { type LocalBucket, startBucket } from '../../store/s3-server.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });

interface MadeUpTree {
  readonly now: Readonly<Record<string, string>>;
  /** Of days that are written where they are not there. */
  readonly days?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

let runs = 0;

async function write({ s3 }: LocalBucket, { now, days = {} }: MadeUpTree): Promise<void> {
  runs += 1;
  const place = await openTreeInBucket(createS3Objects({ s3, bucket: 'tree' }), {
    spool: newFolder(),
    run: `run-${runs}`,
  });
  for (const [path, body] of Object.entries(now)) await place.put({ path: `uk/${path}`, body });
  for (const [day, files] of Object.entries(days)) {
    if ((await place.days('uk')).includes(day)) continue;
    const added = await place.newDay('uk', day);
    for (const [path, body] of Object.entries(files)) await added.put({ path: `uk/at/${day}/${path}`, body });
    await added.keep();
  }
  await place.holdDays('uk');
  await place.put({ path: PUBLIC_KEY, body: pem });
  await place.finish((manifest) => signManifest(manifest, privateKey));
}

async function problemsOf({ objects }: LocalBucket): Promise<readonly string[]> {
  const folder = newFolder();
  for (const [name, body] of objects) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), body);
  }
  return (await verifyTree(folder, publicKey)).problems;
}

const first: MadeUpTree = { now: { a: '1', b: '1', gone: '1' }, days: { '2026-11-20': { a: '0', b: '0' } } };
const second: MadeUpTree = {
  now: { a: '2', b: '1', new: '1' },
  days: { ...first.days, '2026-11-21': { a: '1', c: '1' } },
};
/** As the second one, but what it says of the new day is known better. */
const third: MadeUpTree = {
  now: { a: '3', b: '1', gone: '3' },
  days: { ...first.days, '2026-11-21': { a: '1', b: '3' } },
};

test('a file that nothing names any longer is removed, and a kept day is never written again', async () => {
  const bucket = await startBucket();
  onTestFinished(() => bucket.close());
  await write(bucket, first);
  bucket.changes.length = 0;
  await write(bucket, { ...second, days: { ...second.days, '2026-11-20': { a: 'other' } } });
  const touched = bucket.changes.filter((change) => / uk\//.test(change)).toSorted();
  expect(touched).toEqual([
    'DELETE uk/gone',
    'PUT uk/a',
    'PUT uk/at/2026-11-21/SHA256SUMS',
    'PUT uk/at/2026-11-21/a',
    'PUT uk/at/2026-11-21/c',
    'PUT uk/new',
  ]);
  expect(String(bucket.objects.get('uk/at/2026-11-20/a'))).toBe('0');
  expect(await problemsOf(bucket)).toEqual([]);
});

test('runs that die between any two changes leave what verifies, also where the next one writes something else', async () => {
  const bucket = await startBucket();
  const fresh = await startBucket();
  onTestFinished(() => bucket.close());
  onTestFinished(() => fresh.close());
  await write(fresh, first);
  const before = new Map(fresh.objects);
  fresh.objects.clear();
  await write(fresh, third);
  let died = 0;
  for (let kill = 0; ; kill += 1) {
    let hasDied = false;
    for (const next of [1, 8]) {
      bucket.objects.clear();
      for (const [name, body] of before) bucket.objects.set(name, body);
      bucket.dieAfter(kill);
      const isDead = await write(bucket, second).then(
        () => false,
        () => true,
      );
      hasDied ||= isDead;
      expect(await problemsOf(bucket)).toEqual([]);
      if (!isDead) break;
      died += 1;
      bucket.dieAfter(next);
      await write(bucket, third).catch(() => {});
      expect(await problemsOf(bucket)).toEqual([]);
    }
    if (!hasDied) break;
    bucket.dieAfter(Number.POSITIVE_INFINITY);
    await write(bucket, third);
    expect(
      [...bucket.objects.keys()].filter((name) => !fresh.objects.has(name) && !/\/2026-11-21\//.test(name)),
    ).toEqual([]);
    expect(await problemsOf(bucket)).toEqual([]);
  }
  expect(died).toBeGreaterThan(20);
});
