import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { virtualEnvironment } from './virtual-environment.ts';

/**
 * Runs the checks of the contract and of the guides with Python's libraries: `npm run test:python`.
 */

const here = import.meta.dirname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const environments = {
  contract: virtualEnvironment('contract', { requirements: join(here, 'requirements.txt'), say }),
  msal: virtualEnvironment('msal', { requirements: join(here, 'requirements-msal.txt'), say }),
  scout: virtualEnvironment('scout', { requirements: join(here, 'requirements-scout.txt'), say }),
};
const programs = [
  ['contract', 'contract.py'],
  ['contract', 'pandas_guide.py'],
  ['msal', 'msal_guide.py'],
  ['scout', 'scout_relay.py'],
] as const;
for (const [environment, program] of programs) {
  const python = join(environments[environment], 'bin', 'python');
  const { status } = spawnSync(python, [join(here, program), process.execPath], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}
