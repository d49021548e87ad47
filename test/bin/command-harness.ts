import type { Command } from '../../bin/command.ts';
import type { Client } from '../../sandbox/identity/accounts.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { CANARY, showsCanary } from '../catalogue/identity/canaries.ts';
import { type FamilyHarness, startHarness } from '../sandbox/interpretation/family-harness.ts';
import { type Ran, runCommand } from './run-command.ts';

export interface CommandHarness extends FamilyHarness {
  /** Runs a command within this process, as the command line does, with the harness's provider in its environment. */
  run(command: Command, args: readonly string[], given?: Given): Promise<Ran>;
}

export interface Given {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The sandbox's decision support system with a secret that must not be seen. */
export const canarySystem: Client = { ...decisionSupport, secrets: [`a:${CANARY}:+/%?é`] };

/** Provider and applications, and commands that run against them; no output may show a canary. */
export async function commandHarness(): Promise<CommandHarness> {
  const tenant = tenants['non-production'];
  const clients = [
    canarySystem,
    ...tenant.clients.filter(({ clientId }) => clientId !== canarySystem.clientId),
  ];
  const harness = await startHarness({ tenants: { ...tenants, 'non-production': { ...tenant, clients } } });
  const ownEnvironment = {
    AUTH_URL: harness.provider.authUrl,
    TENANT_ID: tenant.id,
    CLIENT_ID: canarySystem.clientId,
    CLIENT_SECRET: canarySystem.secrets[0],
  };
  return {
    ...harness,
    run: async ({ name }, args, { stdin = '', env = {} } = {}) => {
      const given = { stdin, env: { ...ownEnvironment, ...env }, clock: harness.clock };
      const ran = await runCommand([...name.split(' '), ...args], given);
      if (showsCanary(ran.stdout) || showsCanary(ran.stderr)) throw new Error('the output shows a secret');
      return ran;
    },
  };
}
