import { generateKeyPairSync } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import {
  createDynamoAnswers,
  createDynamoPanelStates,
  keptInTables,
} from '../../../lambdas/panels/dynamodb-panel-states.ts';
import {
  openTreeInBucket,
  type StageRelayReport,
  writeRelayOfStage,
} from '../../../lambdas/questions/relay/relay-of-stage.ts';
import { isEndOfMonth, writeTree } from '../../../lambdas/questions/relay/write-tree.ts';
import { createStateStore } from '../../../lambdas/store/dynamodb.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import type { HistoryRecord } from '../../../lambdas/store/history/history.ts';
import { createDynamoDocuments } from '../../../lambdas/store/items-dynamodb.ts';
import { createLease } from '../../../lambdas/store/lease.ts';
import { createS3Objects } from '../../../lambdas/store/objects-s3.ts';
import { newFolder } from '../../new-folder.ts';
import { createHistoryTable } from '../../store/history/create-history-table.ts';
import { openLocalTable } from '../../store/local-table.ts';
import { type LocalBucket, startBucket } from '../../store/s3-server.ts';
import { DAY, type Followed, follow, readAll } from './followed.ts';

const origin = 'http://relay.example';
const { privateKey: key } = generateKeyPairSync('ed25519');

async function openBucket(): Promise<LocalBucket> {
  const bucket = await startBucket();
  onTestFinished(() => bucket.close());
  return bucket;
}

const bucketOf = ({ s3 }: LocalBucket) => createS3Objects({ s3, bucket: 'tree' });

/** Tables that keep what a notifier keeps in its file. */
async function openStage({ clock, harness }: Followed) {
  const local = await openLocalTable();
  const { dynamodb, table: stateTable } = local;
  const historyTable = await createHistoryTable(dynamodb, 'history');
  onTestFinished(() => local.close());
  const inState = { dynamodb, table: stateTable, catalogue: 'uk', runId: 'test', clock };
  const inHistory = { dynamodb, table: historyTable, catalogue: 'uk', clock };
  const documents = createDynamoDocuments(inState);
  return {
    source: (runId: string) => keptInTables('uk', { dynamodb, stateTable, historyTable, runId, clock }),
    lease: (runId: string) => createLease({ ...inState, runId, of: 'relay', heldMs: 900_000 }),
    async copy() {
      const { states, answers, state, history } = harness.relaySource;
      const [to, kept] = [createDynamoPanelStates(inHistory), createDynamoAnswers(inHistory)];
      for (const { panelId } of await states.panels()) {
        for (const version of await states.versions(panelId)) {
          const whole = await harness.states.read(version);
          if (whole) await to.save(whole);
        }
        for (const one of await answers.of(panelId))
          await kept.keep(one, (await answers.read(one)) ?? Buffer.of());
      }
      await to.saveSignOffs(await states.signOffs());
      const record = await harness.relaySource.documents.load('sign-offs');
      const there = await documents.load('sign-offs');
      if (record) await documents.save('sign-offs', there?.version ?? 0, record.body);
      const listing = await state.listing();
      if (listing) await createStateStore(inState).saveListing(listing);
      const records: HistoryRecord[] = [];
      for await (const one of harness.findRecords()) records.push(one);
      const [period] = (await history.coverage()).filter(({ catalogue }) => catalogue === 'uk');
      if (period) await createDynamoHistory(inHistory).append(records, period);
    },
  };
}

test('a stage writes the tree that its state would give on one machine, once for each newer list of panels', async () => {
  const followed = await follow();
  const { clock, catalogue, harness } = followed;
  const stage = await openStage(followed);
  const [bucket, other] = [await openBucket(), await openBucket()];
  let runs = 0;
  const write = (changes: { readonly origin?: string } = {}): Promise<StageRelayReport> => {
    runs += 1;
    const runId = `run-${runs}`;
    return writeRelayOfStage({
      ...{ origin, key, versions: true, runId, spool: newFolder() },
      ...{ sources: [stage.source(runId)], bucket: bucketOf(bucket), lease: stage.lease(runId) },
      ...changes,
    });
  };
  const writeHere = async (): Promise<void> => {
    const place = await openTreeInBucket(bucketOf(other), { spool: newFolder(), run: 'here' });
    await writeTree(place, {
      sources: new Map([['uk', harness.relaySource]]),
      ...{ origin, key, versions: true, keepsDay: isEndOfMonth },
    });
  };
  const same = (): void => {
    const different = [...other.objects].flatMap(([name, body]) =>
      bucket.objects.get(name)?.equals(body) ? [] : [name],
    );
    expect(different).toEqual([]);
    expect(bucket.objects.size).toBe(other.objects.size);
  };

  expect(await write()).toEqual({
    outcome: 'not-read',
    why: 'the panels of the catalogue have not been listed yet',
  });
  await readAll(followed);
  await stage.copy();
  expect(await write()).toMatchObject({ outcome: 'written' });
  await writeHere();
  same();

  bucket.changes.length = 0;
  expect(await write()).toEqual({ outcome: 'unchanged' });
  expect(bucket.changes).toEqual([]);

  // From 20 November to 1 December: one month ends.
  clock.pass(11 * DAY);
  catalogue.act();
  await readAll(followed);
  await stage.copy();
  const elsewhere = stage.lease('another run');
  expect(await elsewhere.take()).toBe(true);
  expect(await write()).toEqual({ outcome: 'busy' });
  await elsewhere.release();
  bucket.dieAfter(9);
  await expect(write()).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' });
  bucket.dieAfter(Number.POSITIVE_INFINITY);
  expect(await write()).toMatchObject({
    outcome: 'written',
    catalogues: { uk: { newDays: ['2026-11-30'] } },
  });
  await writeHere();
  same();
  expect(await write()).toEqual({ outcome: 'unchanged' });
  expect(await write({ origin: 'http://other.example' })).toMatchObject({ outcome: 'written' });
  await harness.close();
  await catalogue.close();
});
