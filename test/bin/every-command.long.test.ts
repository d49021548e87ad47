import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

/** Options by which a person asks for something by its name, with one that nothing has. */
const nonexistent = {
  panel: 'Nonsens',
  'panel-type': 'nonsens',
  'r-code': 'R999',
  gene: 'NOSUCH1',
  'genes-file': 'NOSUCH1',
  tag: 'nosuchtag',
  actor: 'Jane Nowhere',
  name: 'nosuch',
  version: '999.9',
} as const;
type NameOption = keyof typeof nonexistent;
const nameOptions = Object.keys(nonexistent) as readonly NameOption[];
/** Options by which a person asks for a time, which was never read. */
const timeOptions = ['since', 'until', 'from', 'at'] as const;
type TimeOption = (typeof timeOptions)[number];

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
const root = newFolder();
let sandbox: RunningCatalogue;
const at = (name: string): string => join(root, name);
beforeAll(async () => {
  sandbox = await startCatalogue({ clock, history: 60 });
  const settings = {
    stages: {
      production: {
        catalogues: { uk: { base: sandbox.url } },
        subscriptions: { 'green-genes': { filter: { panels: ['Nonsens'] }, channels: [{ kind: 'atom' }] } },
      },
    },
  };
  await writeFile(at('settings.json'), JSON.stringify(settings));
  await writeFile(at('genes.txt'), `${nonexistent['genes-file']}\n`);
  await writeFile(at('rows.json'), '[]');
  await writeFile(at('cases.csv'), 'case,panel,version\nC1,Nonsens,1.0\n');
  await run('poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk', '--from', '90d');
  await run('verify', '--catalogue', sandbox.url, '--name', 'uk');
});
afterAll(() => sandbox.close());

const run = (...args: readonly string[]): Promise<Ran> =>
  runCommand([...args, ...(args.includes('--state') ? [] : ['--state', at('state')])], { clock });
const runAlone = (...args: readonly string[]): Promise<Ran> => runCommand(args, { clock });

type Asking = (option: NameOption | TimeOption, value: string) => Promise<Ran>;

interface AskedCommand {
  readonly ask: Asking;
  /** Options that ask for nothing that was kept, with the reason. */
  readonly free?: Readonly<Partial<Record<NameOption | TimeOption, string>>>;
  /** The exit code where what was asked for does not exist, if it is no failure. */
  readonly code?: 0;
}

const aCatalogue = (): readonly string[] => ['--catalogue', sandbox.url, '--from', '90d'];
const once = ['--no-page', '--polls', '1', '--every', '0', '--sweep-every', '0'];
const named = 'names the catalogue of a new state';
const begins = 'says where a new state begins';

/** The ids that the verbs of a command take, asked for one that nothing has. */
const verbsWithIds: Readonly<Record<string, () => Promise<Ran>>> = {
  'worklist decide': () =>
    run('worklist', 'decide', 'feedfeedfeed', '--status', 'done', '--why', 'read', '--by', 'Ann Example'),
  'worklist comment': () =>
    run('worklist', 'comment', 'feedfeedfeed', '--text', 'seen', '--by', 'Ann Example'),
  'worklist read': () => run('worklist', 'read', 'feedfeedfeed', '--by', 'Ann Example'),
  'messages send': () => run('messages', 'send', 'feedfeedfeed', '--config', at('settings.json')),
  'messages drop': () => run('messages', 'drop', 'feedfeedfeed', '--config', at('settings.json')),
  'subscriptions test': () =>
    run('subscriptions', 'test', 'feedfeedfeed', '--config', at('settings.json'), '--since', '30d'),
  compare: () => run('compare', 'uk', 'feedfeedfeed'),
};

/** Every command, with how it is asked, where it has several verbs under each; a text says why it cannot be asked for a name or a time. */
const commands: Readonly<Record<string, AskedCommand | string>> = {
  poll: {
    ask: (option, value) =>
      run(
        'poll',
        '--only',
        'log',
        '--catalogue',
        sandbox.url,
        '--from',
        '90d',
        `--${option}`,
        value,
        '--state',
        at(`poll-${option}`),
      ),
    free: { name: named, from: begins },
    code: 0,
  },
  watch: {
    ask: (option, value) =>
      run('watch', ...aCatalogue(), ...once, `--${option}`, value, '--state', at(`watch-${option}`)),
    free: { name: named, from: begins },
    code: 0,
  },
  history: { ask: (option, value) => run('history', `--${option}`, value, ...ended(option)) },
  report: {
    ask: (option, value) =>
      run(
        'report',
        `--${option}`,
        value,
        ...(option === 'since' ? ended(option) : []),
        ...(option === 'until' ? ['--since', '2000-12-01'] : []),
      ),
  },
  state: {
    ask: (option, value) =>
      option === 'version' || option === 'at' || option === 'name'
        ? run('state', '--panel', '1', `--${option}`, value)
        : run('state', `--${option}`, value),
  },
  compare: { ask: (option, value) => run('compare', `--${option}`, value) },
  verify: {
    ask: (option, value) => run('verify', '--catalogue', sandbox.url, '--name', 'uk', `--${option}`, value),
    free: { name: named, since: 'lists each version with its proof, however old' },
  },
  impact: {
    ask: (option, value) =>
      option === 'name'
        ? run('impact', '--cases', at('cases.csv'), '--name', value)
        : Promise.reject(new Error(`impact --${option}`)),
  },
  relay: 'serves what the catalogue answered, byte by byte',
  page: 'serves views, whose names and times are tested with the page',
  worklist: { ask: (option, value) => run('worklist', `--${option}`, value, ...ended(option)) },
  replay: {
    ask: (option, value) =>
      run(
        'replay',
        '--dry-run',
        ...(option === 'since' ? [] : ['--since', option === 'until' ? '2000-01-01' : '30d']),
        `--${option}`,
        value,
        ...ended(option),
      ),
  },
  mark: { ask: (option, value) => run('mark', `--${option}`, value) },
  backup: 'copies all that is kept',
  classify: {
    ask: (option, value) => runAlone('classify', at('rows.json'), `--${option}`, value),
    free: { name: named },
    code: 0,
  },
  subscriptions: {
    ask: () =>
      run('subscriptions', 'test', 'green-genes', '--config', at('settings.json'), '--since', '2026-01-01'),
    code: 0,
  },
  messages: 'lists messages, which it names itself',
  sandbox: 'serves what is made up',
  api: 'passes on what the application answers',
  doctor: 'checks settings and connections; its warnings about names are tested with the settings',
};

/** Where a time is asked for, a period that ends before the history begins. */
const ended = (option: string): readonly string[] => (option === 'since' ? ['--until', '2001-02-01'] : []);

async function optionsOf(command: string): Promise<readonly (NameOption | TimeOption)[]> {
  const { stdout } = await runAlone(command.split(' ')[0] ?? '', '--help');
  const all = new Set(
    [...stdout.matchAll(/^ {2}--([a-z-]+)|--([a-z-]+) [A-Z]+\|?[A-Z]*(?=,)/gm)].map(
      ([, one, other]) => one ?? other,
    ),
  );
  return [...nameOptions, ...timeOptions].filter((option) => all.has(option));
}

test('every command is asked, or says why it cannot be', async () => {
  const { stdout } = await runAlone('--help');
  const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) {2,}/gm)].map(([, name]) => name);
  expect(listed.length).toBeGreaterThan(15);
  const asked = Object.keys(commands).map((name) => name.split(' ')[0]);
  expect([...new Set(asked)].sort()).toStrictEqual(listed.sort());
});

test.each(Object.entries(verbsWithIds))(
  '%s says of an id that nothing has that it does not exist',
  async (_name, ask) => {
    const { code, stdout, stderr } = await ask();
    expect(`${stdout}${stderr}`).toMatch(
      /(?:no|No) (?:such |entry|message|subscription).*feedfeedfeed|feedfeedfeed.* no such/,
    );
    expect(stdout).not.toMatch(/\bdone\b|0 events/);
    expect(code).not.toBe(0);
  },
);

describe.each(
  Object.entries(commands).flatMap(([name, asked]) =>
    typeof asked === 'string' ? [] : [[name, asked] as const],
  ),
)('%s', (name, { ask, free = {}, code: wanted }) => {
  test('says of every name that does not exist that it does not exist', async () => {
    const options = (await optionsOf(name)).filter((option) => option in nonexistent && !(option in free));
    for (const option of options as readonly NameOption[]) {
      const value = nonexistent[option];
      const { code, stdout, stderr } = await ask(option, option === 'genes-file' ? at('genes.txt') : value);
      const said = `${name} --${option}: ${stdout}${stderr}`;
      expect(said).toContain(value);
      expect(said).toMatch(
        /\bno (?:panel|gene|event|catalogue|such catalogue|version)\b|is not kept|is unknown|No state/i,
      );
      expect(said).not.toMatch(/\b0 now green|\b0 events would|Nothing matches|was found in these/);
      if (wanted === undefined) expect(code, said).not.toBe(0);
    }
    if (typeof free === 'object' && options.length === 0) expect(name).toMatch(/^(?:subscriptions)$/);
  });

  test('says of a time that was not read that it was not read', async () => {
    const options = (await optionsOf(name)).filter((option) => !(option in nonexistent) && !(option in free));
    for (const option of options) {
      const { code, stdout, stderr } = await ask(option, '2001-01-01');
      const said = `${name} --${option}: ${stdout}${stderr}`;
      expect(said).toMatch(
        /not read|othing (?:of this period )?was read|that were read|is not kept|is unknown|no version was read/i,
      );
      expect(said).not.toMatch(/\b0 now green|\b0 events would|was found in these/);
      if (wanted === undefined) expect(code, said).not.toBe(0);
    }
  });
});
