import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Requirements {
  /** The file of pinned packages. */
  readonly requirements: string;
  readonly say: (line: string) => void;
}

/**
 * The folder of a Python environment below `.venv` with pinned packages, installed once for each list of pins.
 *
 * @throws {Error} when python3 or its pip is missing, or PyPI cannot be reached
 */
export function virtualEnvironment(name: string, { requirements, say }: Requirements): string {
  const pins = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const environment = resolve('.venv', `${name}-${pins}`);
  // Written last, so that an environment whose installation was stopped is made anew.
  const mark = join(environment, 'complete');
  if (existsSync(mark)) return environment;
  say(`Installing ${name} from PyPI into .venv (once)`);
  rmSync(environment, { recursive: true, force: true });
  // A pip of its own would need python3-venv on Debian; the machine's pip installs into the environment as well.
  must('python3', ['-m', 'venv', '--without-pip', environment], 'python3 with its module venv');
  const pip = ['-m', 'pip', '--python', join(environment, 'bin', 'python'), '--disable-pip-version-check'];
  const install = [...pip, 'install', '--quiet', '-r', requirements];
  // A mirror of PyPI may answer one request from an old index.
  if (spawnSync('python3', install, { stdio: 'ignore' }).status !== 0) {
    must('python3', install, 'pip 22.3 or later, and access to PyPI');
  }
  writeFileSync(mark, '');
  return environment;
}

function must(command: string, parameters: readonly string[], expected: string): void {
  const { status, error, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
  if (status === 0) return;
  const seen = error?.message ?? stderr.slice(-2000);
  throw new Error(`Running ${command} ${parameters.join(' ')}: ${seen}\nExpected ${expected}`);
}
