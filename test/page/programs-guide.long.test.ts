import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { instantOf, parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { freePort } from '../aws/emulator.ts';
import { tokenIn } from './browser-session.ts';
import { openTeamPage } from './team-page.ts';

/** The program of the guide, run as it is shown. */

const guide = readFileSync('docs/guides/programs.md', 'utf8');
const [, program = ''] = /```python\n(.*?)```/s.exec(guide) ?? [];
const run = promisify(execFile);

test('the program of the guide prints what turned green, and stops where the answer is not whole', async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const team = await openTeamPage({ origin });
  await team.serve();
  const threeDays = { since: parseInstant('2026-11-18T12:00:00Z') ?? 0n, until: instantOf(team.clock.now()) };
  await createSqliteHistory(team.file).append([], { catalogue: 'uk', ...threeDays });
  const browser = team.browser();
  await team.signIn(browser, 'scientistEngland');
  const form = tokenIn(await (await browser.open('/programs')).text());
  const made = await (await browser.send('/programs', { token: form, name: 'guide', days: '30' })).text();
  const [, token = ''] = /<code>(gpn_[\w-]+)<\/code>/.exec(made) ?? [];
  expect(made).toContain(`${origin}/api/history?since=7d`);

  const read = (env: Readonly<Record<string, string>>, text = program) =>
    run('python3', ['-c', text], { env: { ...process.env, PAGE: origin, ...env } }).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => error,
    );
  const answered = await read({ PAGE_TOKEN: token });
  expect(answered.stdout).toMatch(/^\d{4}-\d\d-\d\d\tBRCA1\tInherited breast cancer and ovarian cancer\n$/);
  expect(answered.stderr).toMatch(/was not read/);
  expect((await read({ PAGE_TOKEN: 'gpn_wrong' })).stderr).toContain('HTTP Error 401');
});
