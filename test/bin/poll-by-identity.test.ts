import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { command } from '../../bin/commands/poll.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { bearerAuthorisation, createApplicationCheck } from '../../sandbox/interpretation/application.ts';
import { CANARY } from '../catalogue/identity/canaries.ts';
import { closeLater } from '../catalogue/identity/token-harness.ts';
import { newFolder } from '../new-folder.ts';
import { type CommandHarness, commandHarness } from './command-harness.ts';

/** A catalogue that wants a token, and where to keep the state of its polls. */
async function start() {
  const harness: CommandHarness = await commandHarness();
  const { clock } = harness;
  const authorise = bearerAuthorisation(createApplicationCheck('catalogue', harness));
  const catalogue = await startCatalogue({ clock, history: 150, authorise });
  const state = newFolder();
  closeLater(catalogue.close);
  closeLater(() => rm(state, { recursive: true }));
  const args = ['--catalogue', catalogue.url, '--state', state, '--from', '2026-01-01'];
  return { ...harness, poll: (env = {}) => harness.run(command, args, { env }) };
}

test('poll reads a catalogue with a token of the identity provider in its environment', async () => {
  const { poll, provider } = await start();
  const { code, stdout } = await poll();
  expect(code).toBe(0);
  expect(stdout.split('\n').length).toBeGreaterThan(100);
  expect(provider.calls).toHaveLength(1);
});

test('poll names the refused credential and prints no event', async () => {
  const { poll } = await start();
  const { code, stdout, stderr } = await poll({ CLIENT_SECRET: CANARY });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('invalid_client (AADSTS7000215)');
  expect(stderr).toContain('[CREDENTIAL_REFUSED]');
});
