import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { rated, turnedGreen } from '../words/events.ts';
import { runCommand } from './run-command.ts';

const folder = newFolder();

const privacy = { names: 'dropped' } as const;
const settings = {
  stages: {
    test: {
      catalogues: { uk: { base: 'https://panelapp.genomicsengland.co.uk/api/v1/' } },
      messages: {
        contact: 'it@example.org',
        relay: { host: 'mail.example.org', from: 'panels@example.org' },
      },
      subscriptions: {
        'green-genes': {
          filter: { to: ['green'] },
          zone: 'Europe/London',
          channels: [
            { kind: 'email', to: 'a@example.org' },
            { kind: 'smtp', to: ['a@example.org'], ...privacy },
            { kind: 'slack', webhook: 'lab' },
            { kind: 'teams', webhook: 'lab' },
            { kind: 'amazon-q' },
            { kind: 'webhook', webhook: 'pipeline', ...privacy },
            { kind: 'atom' },
          ],
        },
        misspelt: { filter: { panels: ['Nonsens'] }, channels: [{ kind: 'atom' }] },
        weekly: { when: { digest: 'weekly' }, channels: [{ kind: 'email', to: 'a@example.org' }] },
      },
    },
  },
};

const config = join(folder, 'settings.json');
const previews = join(folder, 'previews');
const stdin = [
  turnedGreen({ time: '2026-09-07T09:14:02.120000Z' }),
  rated('green', 'green', 'unchanged', { time: '2026-09-08T09:14:02.120000Z' }),
  rated('green', 'red', 'downgraded', { time: '2026-09-09T09:14:02.120000Z' }),
  turnedGreen({ gene: 'PALB2', time: '2026-09-10T09:00:00.000000Z' }),
  rated('green', 'amber', 'downgraded', { gene: 'PALB2', time: '2026-09-10T09:20:00.000000Z' }),
]
  .map((event) => JSON.stringify(event))
  .join('\n');
const subscriptions = (...args: readonly string[]) =>
  runCommand(['subscriptions', ...args, '--config', config, '--events', '-', '--since', '2026-09-01'], {
    stdin,
  });

describe('subscriptions test', () => {
  beforeAll(() => writeFileSync(config, JSON.stringify(settings)));

  test('says of a file without events that nothing is known, never that nothing would be sent', async () => {
    const ran = await runCommand(
      ['subscriptions', 'test', 'green-genes', '--config', config, '--events', '-'],
      { stdin: '' },
    );
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('is unknown: nothing of that time was read');
  });

  test('says what would have been sent, when, and why other events gave no message', async () => {
    const { code, stdout } = await subscriptions('test', 'green-genes');
    expect(code).toBe(0);
    expect(stdout).toContain('green-genes would have sent 3 messages since 1 September 2026, from 5 events.');
    expect(stdout).toMatch(
      /7 September 2026, 11:14 \(London\) {2}BRCA1 is now green on Inherited .* \[email, smtp, slack, teams, amazon-q, atom\]/,
    );
    // A program gets each event without delay, also that of a rating that changes back.
    expect(stdout).toMatch(
      /10 September 2026, 10:00 \(London\) {2}PALB2 is now green on Inherited .* \[webhook\]/,
    );
    expect(stdout).toMatch(/\b2 {2}the filter: to\n/);
    expect(stdout).toMatch(/\b1 {2}a rating that was only confirmed\n/);
    expect(stdout).toMatch(/\b1 {2}a rating that changed back/);
  });

  test('says when a digest would have been sent', async () => {
    const { stdout } = await subscriptions('test', 'weekly');
    expect(stdout).toMatch(/14 September 2026, 07:00 \(UTC\) {2}Panel changes .*: 1 other rating \[email\]/);
  });

  test('ends with 3 where the filter has a name that nothing has', async () => {
    const { code, stdout, stderr } = await subscriptions('test', 'misspelt');
    expect(code).toBe(3);
    expect(stderr).toContain('Nonsens');
    expect(stdout).toContain('No message between the first and the last event of the file.');
  });

  test('says how rare messages are where less than one a week is sent', async () => {
    const rare = [1, 15, 29].map((day) =>
      JSON.stringify(
        turnedGreen({ gene: `GENE${day}`, time: `2026-10-${String(day).padStart(2, '0')}T09:00:00.000000Z` }),
      ),
    );
    const { stdout } = await runCommand(
      ['subscriptions', 'test', 'weekly', '--config', config, '--events', '-', '--since', '2026-09-01'],
      { stdin: rare.join('\n') },
    );
    expect(stdout).toContain(
      'About one message in 9 days, between the first and the last event of the file.',
    );
  });

  test('writes each channel’s rendering to a file, with its privacy', async () => {
    const { code } = await subscriptions('test', 'green-genes', '--preview', previews);
    expect(code).toBe(0);
    const files = readdirSync(previews);
    expect(files.map((name) => name.replace(/^\d+-/, '')).sort()).toStrictEqual([
      'amazon-q.json',
      'atom.xml',
      'email.txt',
      'slack.json',
      'smtp.html',
      'smtp.txt',
      'teams.json',
      'webhook.json',
      'webhook.json',
    ]);
    const read = (kind: string): string =>
      readFileSync(join(previews, files.find((name) => name.includes(kind)) ?? ''), 'utf8');
    expect(read('email.txt')).toContain('Rated by Catherine Snowe');
    expect(read('email.txt')).toContain('Change or stop these mails: it@example.org');
    expect(read('smtp.txt') + read('smtp.html') + read('webhook')).not.toContain('Snowe');
  });

  test('says where previews cannot be written', async () => {
    expect(await subscriptions('test', 'green-genes', '--preview', '/dev/null/previews')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^\S+ subscriptions: Writing to \/dev\/null\/previews: a part of this path is not a directory\. .*OUTPUT_UNWRITABLE\]$/m,
      ),
    });
  });

  test.each([
    [['test'], 'expected: subscriptions test NAME'],
    [['send', 'green-genes'], 'expected: subscriptions test NAME'],
    [['test', 'green-gene'], 'Did you mean green-genes?'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await subscriptions(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
