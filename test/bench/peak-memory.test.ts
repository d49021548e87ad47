import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the memory of the process that starts a program is not counted as the program’s own', () => {
  const printPeak = fileURLToPath(new URL('print-peak.ts', import.meta.url));
  const small = `spawnSync(process.execPath, ['--import', ${JSON.stringify(printPeak)}, '-e', ''], { stdio: 'inherit' })`;
  const large = `const { spawnSync } = require('node:child_process'); globalThis.held = Buffer.alloc(300_000_000, 1); ${small};`;
  const { stderr } = spawnSync(process.execPath, ['-e', large], { encoding: 'utf8' });
  expect(Number(/peak:(\d+)/.exec(stderr)?.[1])).toBeLessThan(200);
});
