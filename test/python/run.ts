import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { virtualEnvironment } from './virtual-environment.ts';

/** Runs the checks of the contract, and the pandas guide, with Python's libraries: `npm run test:python`. */

const here = import.meta.dirname;
const environment = virtualEnvironment('contract', {
  requirements: join(here, 'requirements.txt'),
  say: (line) => process.stdout.write(`${line}\n`),
});
for (const program of ['contract.py', 'pandas_guide.py']) {
  const { status } = spawnSync(join(environment, 'bin', 'python'), [join(here, program), process.execPath], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
