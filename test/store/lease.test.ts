import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLease, type Lease } from '../../lambdas/store/lease.ts';
import { type LocalTable, openLocalTable } from './local-table.ts';

let local: LocalTable;
beforeAll(async () => {
  local = await openLocalTable();
});
afterAll(() => local.close());

const leaseOf = (catalogue: string, runId: string, now: () => number = () => 0): Lease =>
  createLease({
    ...{ dynamodb: local.dynamodb, table: local.table, catalogue, runId },
    clock: { now, sleep: async () => {}, random: () => 0 },
  });

test('of two runs one has the lease, and keeps it for as long as it takes it again', async () => {
  const [one, other] = [leaseOf('held', 'one'), leaseOf('held', 'other')];
  expect(await one.take()).toBe(true);
  expect(await other.take()).toBe(false);
  expect(await one.take()).toBe(true);
});

test('a released lease is free, and a run that does not have it cannot release it', async () => {
  const [one, other] = [leaseOf('released', 'one'), leaseOf('released', 'other')];
  await one.take();
  await other.release();
  expect(await other.take()).toBe(false);
  await one.release();
  expect(await other.take()).toBe(true);
  await one.release();
  expect(await one.take()).toBe(false);
});

test('the lease of a run that died is taken over after a minute, not before', async () => {
  await leaseOf('died', 'one').take();
  expect(await leaseOf('died', 'other', () => 59_999).take()).toBe(false);
  expect(await leaseOf('died', 'other', () => 60_000).take()).toBe(true);
  expect(await leaseOf('died', 'one', () => 60_001).take()).toBe(false);
});

test('catalogues have leases of their own', async () => {
  expect(await leaseOf('uk', 'one').take()).toBe(true);
  expect(await leaseOf('australia', 'other').take()).toBe(true);
});
