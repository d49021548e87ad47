import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { runCommand } from '../command-line.ts';
import type { Deployment } from '../deployment.ts';
import { laterSecond } from '../later-second.ts';
import { copyRelay, newSigningKey, putSigningKey } from '../relay-place.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

const reportSchema = z.object({
  outcome: z.string(),
  catalogues: z.record(z.string(), z.object({ files: z.number(), newDays: z.array(z.string()) })).optional(),
});
const panelsSchema = z.object({ results: z.array(z.object({ id: z.number() })).min(5) });

const actedSchema = z.object({ done: z.tuple([z.object({ panel: z.object({ id: z.number() }) })]) });

/** Which right the function uses in a whole run and one that goes on after another. */
const used = [
  ...['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:PutItem', 'secretsmanager:GetSecretValue'],
  ...['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
];

/** What a catalogue answered is written into a bucket, and verifies at each moment. */
export async function checkRelay(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { aws, checks, clients, folder } = context;
  const { archived } = context.catalogues;
  const { key, publicKey } = newSigningKey();
  writeFileSync(join(folder, 'relay-public-key.pem'), publicKey);
  const readers = await Promise.all(
    ['poll', 'sweep', 'prove'].map((job) => startFunction(context, { deployment, name: `${job}-archived` })),
  );
  /** The sweep reads the sign-offs, and the proof what the sweep listed. */
  const readAll = async (): Promise<void> => {
    for (const { runtime } of [...readers, ...readers]) assert.equal((await runtime.invoke({})).ok, true);
  };
  let relay = await startFunction(context, { deployment, name: 'relay' });
  const actions = new Set<string>();
  const refused: string[] = [];
  const restart = async (): Promise<void> => {
    for (const action of relay.guard.used) actions.add(action);
    refused.push(...relay.guard.refused);
    await relay.stop();
    relay = await startFunction(context, { deployment, name: 'relay' });
  };
  const asked = async (id: number): Promise<unknown> =>
    (await fetch(new URL(`/api/v1/panels/${id}/`, archived.url))).json();
  const act = async (panel: number | undefined): Promise<number> => {
    const body = JSON.stringify({ kind: 'rate a gene as administrator', panel });
    const response = await fetch(new URL('/sandbox/act', archived.url), { method: 'POST', body });
    return actedSchema.parse(await response.json()).done[0].panel.id;
  };
  const verify = async () => {
    const copy = mkdtempSync(join(folder, 'relay-'));
    const names = await copyRelay(context, { deployment, to: copy });
    const { exitCode, stdout, stderr } = await runCommand(
      ['relay', '--verify', copy, '--public-key', join(folder, 'relay-public-key.pem')],
      aws,
    );
    assert.equal(exitCode, 0, stderr);
    return { copy, names, stdout };
  };

  try {
    await checks.check('a secret that holds no key stops the run, with its name', async () => {
      const outcome = await relay.runtime.invoke({});
      assert.ok(!outcome.ok);
      assert.match(outcome.error.errorMessage, /^Reading the secret .*: it holds no private Ed25519 key/);
    });
    await putSigningKey(context, { deployment, key });
    await readAll();
    const written = await reportOf(relay);
    const first = await verify();
    const panels = panelsSchema.parse(read(first.copy, 'archived/api/v1/panels/@.json')).results;
    await checks.check('the tree is written whole, and verifies', async () => {
      assert.equal(written.outcome, 'written');
      // With the list of all files, its signature, the key and `relay.json`.
      const { files = 0, newDays = [] } = written.catalogues?.archived ?? {};
      assert.equal(first.names.filter((name) => !name.includes('/at/')).length, files + 4);
      assert.deepEqual(newDays, [
        ...new Set(first.names.flatMap((name) => /\/at\/([^/]+)/.exec(name)?.[1] ?? [])),
      ]);
      for (const { id } of panels) assert.deepEqual(panelIn(first.copy, id), await asked(id));
    });
    await checks.check('a run that finds nothing new writes nothing', async () => {
      assert.deepEqual(await reportOf(relay), { outcome: 'unchanged' });
    });

    const changed = await act(undefined);
    // The archive of a version is there once the next one began.
    assert.equal(await act(changed), changed);
    await laterSecond(archived.url);
    await readAll();
    await checks.check('killed while it writes, it leaves files that verify', async () => {
      // After the manifest of the new tree, its signature, and two files.
      relay.guard.onceUsed('s3:PutObject', 5, () => relay.runtime.kill());
      assert.equal((await relay.runtime.invoke({})).ok, false);
      const { names, stdout } = await verify();
      assert.ok(names.some((name) => name.startsWith('pending/')));
      assert.match(stdout, /more than one signed tree/);
    });
    await restart();
    await checks.check('its repetition finds the lease taken', async () => {
      assert.deepEqual(await reportOf(relay), { outcome: 'busy' });
    });
    // A quarter of an hour later the lease has ended.
    const lease = { pk: { S: 'catalogue#archived#lease' }, sk: { S: 'relay' } };
    await clients.dynamodb.send(
      new DeleteItemCommand({ TableName: deployment.outputs.TableName ?? '', Key: lease }),
    );
    await checks.check('the next run goes on, and nothing of the earlier one is left', async () => {
      assert.equal((await reportOf(relay)).outcome, 'written');
      const { copy, names, stdout } = await verify();
      assert.doesNotMatch(stdout, /more than one signed tree/);
      assert.deepEqual(
        names.filter((name) => name.startsWith('pending/')),
        [],
      );
      assert.deepEqual(panelIn(copy, changed), await asked(changed));
      assert.notDeepEqual(panelIn(copy, changed), panelIn(first.copy, changed));
    });
    await restart();
    await checks.check('all by the rights of its own role', () => {
      assert.deepEqual(refused, []);
      assert.deepEqual([...actions].sort(), used.toSorted());
    });
  } finally {
    for (const each of [...readers, relay]) await each.stop();
  }
}

const read = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const panelIn = (folder: string, id: number): unknown => read(folder, `archived/api/v1/panels/${id}/@.json`);

async function reportOf({ runtime }: RunningFunction): Promise<z.output<typeof reportSchema>> {
  const outcome = await runtime.invoke({});
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return reportSchema.parse(outcome.result);
}
