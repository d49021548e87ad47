import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { openAuditLog, openPeopleFile } from '../../page/sign-in/people-file.ts';
import { newFolder } from '../new-folder.ts';

const folder = newFolder();

describe('an audit log', () => {
  const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') };
  const entry = { action: 'sign-in-refused', why: 'x' } as const;

  test('ends a line that was torn, so that the next one stands alone', async () => {
    const file = join(folder, 'audit.ndjson');
    writeFileSync(file, '{"time":"2026-11-2');
    const audit = openAuditLog(folder, clock);
    await audit.write(entry);
    audit.close();
    const [torn, whole] = readFileSync(file, 'utf8').split('\n');
    expect(torn).toBe('{"time":"2026-11-2');
    expect(JSON.parse(whole ?? '')).toMatchObject(entry);
  });

  // Of a file that has no more room, a write takes what fits and says so by its number alone.
  test.skipIf(process.platform !== 'linux')(
    'keeps no part of a line for which there is no room, and refuses what it notes',
    () => {
      const small = join(folder, 'small');
      const program = `
      import { openAuditLog } from ${JSON.stringify(new URL('../../page/sign-in/people-file.ts', import.meta.url).href)};
      process.on('SIGXFSZ', () => {});
      const audit = openAuditLog(${JSON.stringify(small)}, { now: () => 0 });
      const seen = [];
      for (let count = 0; count < 3; count++)
        await audit.write({ action: 'sign-in-refused', why: 'y'.repeat(500) }).then(() => seen.push('kept'), ({ code }) => seen.push(code));
      console.log(seen.join());`;
      const run = spawnSync(
        'bash',
        ['-c', 'ulimit -f 1; exec "$0" --no-warnings --input-type=module -e "$1"', process.execPath, program],
        { encoding: 'utf8' },
      );
      expect([run.stdout.trim(), run.stderr]).toStrictEqual(['kept,STATE_UNAVAILABLE,STATE_UNAVAILABLE', '']);
      const lines = readFileSync(join(small, 'audit.ndjson'), 'utf8').split('\n');
      expect(lines.map((line) => line.length > 500)).toStrictEqual([true, false]);
    },
  );
});

test.skipIf(process.platform === 'win32').each([
  ['people.sqlite', () => openPeopleFile(() => 0, folder)],
  ['audit.ndjson', () => openAuditLog(folder, { now: () => 0 })],
  ['notifier.sqlite', () => openStateFile(folder)],
] as const)('%s and what lies beside it is taken back from everybody who could read it', (name, open) => {
  const first = open();
  const files = readdirSync(folder).filter((file) => file.startsWith(name));
  const modes = () => files.map((file) => statSync(join(folder, file)).mode & 0o777);
  expect(files.length).toBe(name.endsWith('.sqlite') ? 3 : 1);
  for (const mode of [0o644, 0o640]) {
    for (const file of files) chmodSync(join(folder, file), mode);
    open().close();
    expect(modes()).toStrictEqual(files.map(() => (mode === 0o644 ? 0o600 : 0o640)));
  }
  first.close();
});
