import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { duration, momentOf, orUsage } from '../../bin/arguments.ts';
import { readMoment } from '../../lambdas/questions/options.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { newFolder } from '../new-folder.ts';
import { runCommand } from './run-command.ts';

const directory = newFolder();

const commands = [
  'watch',
  'page',
  'history',
  'report',
  'state',
  'impact',
  'worklist',
  'poll',
  'verify',
  'relay',
  'messages',
  'replay',
  'doctor',
  'sandbox',
  'api',
  'classify',
  'subscriptions',
  'mark',
  'backup',
  'compare',
];
const nowhere = ['--catalogue', 'http://127.0.0.1:9'];

describe('help', () => {
  test.each(commands)('help %s is that of the command', async (name) => {
    const asked = await runCommand(['help', name]);
    expect(asked).toStrictEqual(await runCommand([name, '--help']));
    expect(asked.stdout).toContain(`gene-panel-notifier ${name}`);
  });

  test('the list of commands has what is used every day first', async () => {
    const { stdout } = await runCommand(['--help']);
    const [, everyDay = '', beside = '', more = ''] =
      /Every day:\n([\s\S]*?)\nBeside them:\n([\s\S]*?)\nMore:\n([\s\S]*?)\nOptions:/.exec(stdout) ?? [];
    const named = (lines: string) => [...lines.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
    expect(named(everyDay)).toStrictEqual(commands.slice(0, 7));
    expect(named(beside)).toContain('compare');
    expect(named(more)).toStrictEqual(['classify', 'subscriptions', 'mark', 'backup']);
  });

  test('help without a name lists the commands, and refuses an unknown name', async () => {
    expect(await runCommand(['help'])).toStrictEqual(await runCommand(['--help']));
    expect(await runCommand(['help', 'pol'])).toStrictEqual({
      code: 2,
      stdout: '',
      stderr: `gene-panel-notifier: there is no command "pol". Did you mean poll? Commands: ${commands.join(', ')}.\n`,
    });
  });
});

test('wrong settings are listed one key a line', async () => {
  const config = join(directory, 'wrong.json');
  const stages = {
    production: { catalogues: { uk: { base: 'https://panels.example.org' } }, alarm: {}, tags: 5 },
  };
  await writeFile(config, JSON.stringify({ stages }));
  const { code, stderr } = await runCommand(['subscriptions', 'test', 'us', '--config', config]);
  expect(code).toBe(1);
  expect(stderr.split('\n')).toStrictEqual([
    `gene-panel-notifier subscriptions: ${config} cannot be used as settings:`,
    expect.stringMatching(/^stages\.production\.tags: saw 5, expected/),
    expect.stringMatching(/^stages\.production\.alarm: unknown key, expected only .*\[SETTINGS_INVALID\]$/),
    '',
  ]);
});

describe('a command with wrong arguments', () => {
  test.each([
    ['poll', ['--bogus'], "unknown option '--bogus'"],
    ['poll', ['--bogus=canary'], "unknown option '--bogus'"],
    ['poll', ['-x'], "unknown option '-x'"],
    ['poll', ['--catalog', 'x'], "unknown option '--catalog'; did you mean '--catalogue'?"],
    ['history', ['--from', '2026-11-01'], "unknown option '--from'"],
    ['sandbox', ['--prt=1'], "unknown option '--prt'; did you mean '--port'?"],
    ['api', ['--constructor'], "unknown option '--constructor'"],
    ['poll', ['--state'], "'--state' needs a value"],
    [
      'poll',
      ['--state', '--name', 'x'],
      "'--state' needs a value; what follows begins with a hyphen: write --state=… if it is the value",
    ],
    ['watch', ['--json=yes'], "'--json' takes no value"],
    ['poll', ['extra', ...nowhere], 'saw "extra"; expected options only'],
    [
      'watch',
      ['--catalogue', 'https://panels.example.org', '--every', '0'],
      '--every "0": expected 1 or more for a catalogue that others use too',
    ],
    ['watch', ['extra', ...nowhere], 'saw "extra"; expected options only'],
    ['sandbox', ['extra'], 'saw "extra"; expected options only'],
    ['watch', ['--sandbox', '--polls', '1.5'], '--polls "1.5": expected a whole number from 1 to 1000000000'],
    ['watch', ['--sandbox', '--polls', '1e3'], '--polls "1e3": expected a whole number from 1 to 1000000000'],
    ['sandbox', ['--seed', '1.5'], '--seed "1.5": expected a whole number from 0 to 1000000000'],
    [
      'classify',
      ['--source', 'notaurl', '/nowhere'],
      'Reading the address of the catalogue: "notaurl" is not a URL; expected an address such as https://host.example.org/path. Correct --source.',
    ],
    [
      'watch',
      ['--sandbox', '--state', 'foo'],
      '--state does not go with --sandbox, whose state is kept in memory',
    ],
    [
      'history',
      ['--since', 'yesterday'],
      '--since "yesterday": expected a day or a time in ISO 8601 with Z or an offset, such as 2026-01-31 or 2026-01-31T12:00:00Z, or 90d for the last 90 days',
    ],
    ['sandbox', ['--port', '80.5'], '--port "80.5": expected a whole number from 0 to 65000'],
    ['sandbox', ['--history', '0.5'], '--history "0.5": expected a whole number from 0 to 100000'],
    ['sandbox', ['--page-size', '2.5'], '--page-size "2.5": expected a whole number from 1 to 10000'],
  ])('%s %j', async (name, args, message) => {
    expect(await runCommand([name, ...args])).toStrictEqual({
      code: 2,
      stdout: '',
      stderr: `gene-panel-notifier ${name}: ${message}\nSee: gene-panel-notifier ${name} --help\n`,
    });
  });
});

test.each(['2026-01-31T12:00Z', '2026-01-31T13:00+01:00', '2026-01-31T12:00:00.5Z'])(
  'a time may have minutes, seconds or parts of a second: %s',
  (text) => {
    const noon = instantOf(Date.parse('2026-01-31T12:00:00Z'));
    const clock = { now: () => Date.parse('2026-04-01T12:00:00Z') };
    expect(readMoment(text, momentOf({ clock })) / 1_000_000n).toBe(noon / 1_000_000n);
  },
);

test.each([
  ['90d', '2026-01-01T00:00:00Z'],
  ['90s', '2026-04-01T11:58:30Z'],
  ['12h', '2026-04-01T00:00:00Z'],
  ['15m', '2026-04-01T11:45:00Z'],
])('a time may be how long ago: %s', (text, at) => {
  const now = Date.parse('2026-04-01T12:00:00Z');
  expect(readMoment(text, momentOf({ clock: { now: () => now } }))).toBe(instantOf(Date.parse(at)));
});

const overlap = (text: string): number =>
  duration({ unit: 'm', min: 0, max: 180 })(text, momentOf({ clock: { now: () => 0 } }));

test.each([
  ['15', 900_000],
  ['0.5', 30_000],
  ['90s', 90_000],
  ['2h', 7_200_000],
])('a length of time has the unit of its option, or its own: %s', (text, lasts) => {
  expect(overlap(text)).toBe(lasts);
});

test.each(['', '-1', '181', '4h', '15 m', '1w', 'NaN'])('%j is no length of up to 180 minutes', (text) => {
  expect(() => orUsage(() => overlap(text), '--overlap')).toThrow(
    `--overlap ${JSON.stringify(text)}: expected a number from 0 to 180 (minutes), or with a unit: 90s, 15m, 12h, 2d`,
  );
});

test.each(['29d', '3651', '1w'])(
  '--keep-days takes a length of time as every option does: not %j',
  async (text) => {
    const { code, stderr } = await runCommand(['watch', '--sandbox', '--keep-days', text]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `--keep-days ${JSON.stringify(text)}: expected a number from 30 to 3650 (days), or with a unit: 90s, 15m, 12h, 2d`,
    );
  },
);

test.each([
  ['history', []],
  ['replay', ['--dry-run']],
  ['state', ['--panel', '3']],
  ['verify', nowhere],
])('%s takes no time to come as the start', async (command, args) => {
  const option = command === 'state' ? '--at' : '--since';
  const { code, stderr } = await runCommand([command, ...args, option, '2062-01-01']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${option} "2062-01-01": `);
  expect(stderr).toMatch(/in the future; is the year right\?/);
});

describe.each(['', '..', '../../x', 'a b', '-x', 'é', 'x'.repeat(65)])('no catalogue is named %j', (name) => {
  test.each([
    ['poll', nowhere],
    ['watch', nowhere],
    ['classify', ['/nowhere']],
  ])('by %s', async (command, args) => {
    const { code, stderr } = await runCommand([command, ...args, `--name=${name}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `--name ${JSON.stringify(name)}: expected up to 64 letters, digits, '.', '_' and '-'`,
    );
  });
});

describe('a message that quotes control characters shows them as harmless text', () => {
  const hostile = '\u001b[31mred\u0007\u202e\rback\nline';
  const harmless = '\ufffd[31mred\ufffd\ufffd back line';

  test('when it quotes a file', async () => {
    const file = join(directory, 'esc.json');
    await writeFile(file, hostile);
    const { stderr } = await runCommand(['classify', file]);
    expect(stderr).toContain('[31mr');
    expect(stderr).not.toMatch(/(?!\n$)[\p{Cc}\u202e]/u);
  });

  test.each([
    ['a command', [hostile]],
    ['an operand', ['classify', hostile]],
    ['an option', ['classify', `--${hostile}`]],
  ])('of %s', async (_what, args) => {
    const { stderr } = await runCommand(args);
    expect(stderr).toContain(harmless);
    expect(stderr.split('\n').filter((line) => line && !line.startsWith('See: '))).toHaveLength(1);
  });

  test('also in the stack trace that DEBUG prints', async () => {
    const { stderr } = await runCommand(['classify', hostile], { env: { DEBUG: '1' } });
    expect(stderr).toMatch(/\nat .*\.ts:\d+/);
    expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });
});
