import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { virtualEnvironment } from './virtual-environment.ts';

/** Runs the checks of the contract with Python's libraries: `npm run test:python`. */

const here = import.meta.dirname;
const environment = virtualEnvironment('contract', {
  requirements: join(here, 'requirements.txt'),
  say: (line) => process.stdout.write(`${line}\n`),
});
const { status } = spawnSync(join(environment, 'bin', 'python'), [join(here, 'contract.py')], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
