import { pages } from './pages.ts';

/** The commands that the pages say to type, and who types each: a test, or nobody for a reason. */

export interface ShellCommand {
  /** The page that shows it. */
  readonly page: string;
  /** As it is shown, with its continued lines joined; a loop has its lines. */
  readonly line: string;
  /** What the page types into it, where it reads `/dev/stdin`. */
  readonly input?: string;
}

/** What a command is compared with: its page and its line, as `page: line`. */
interface Entry {
  readonly matches: RegExp;
}

interface Typed extends Entry {
  /** The file that types such commands. */
  readonly by: string;
  /** How, where that file does not take them from this list. */
  readonly how?: string;
}

interface Untyped extends Entry {
  readonly reason: string;
}

export const oneMachine = 'test/docs/shown-commands.long.test.ts';
export const emulator = 'test/aws/scenarios/guides.ts';

/** The first entry that matches a command says who types it. */
export const entries: readonly (Typed | Untyped)[] = [
  { matches: /: docker compose up /, reason: 'needs a Docker daemon and its registry' },
  {
    matches: /: (?:systemctl|journalctl) /,
    reason: 'needs systemd as the first process; test/docs/one-machine.long.test.ts checks the unit',
  },
  {
    matches: /: python -m talos\./,
    reason: 'Talos takes minutes to install; the page says with which version it was typed by hand',
  },
  {
    matches: /: aws logs tail /,
    reason:
      'needs version 2 of the AWS CLI, which PyPI lacks, and a log, which no function writes on the emulator',
  },
  {
    matches: /: npx cdk bootstrap --/,
    reason:
      'the emulator cannot update the stack of an earlier bootstrap; test/lib/grants.test.ts checks the policies',
  },
  {
    matches: /: git clone /,
    by: '.ci/run',
    how: 'clones the repository, and npm ci in the clone',
  },
  { matches: /: npx cdk synth --quiet$/, by: '.ci/run', how: 'npm run synth' },
  {
    matches: /: npx cdk (?:bootstrap|deploy|destroy)$/,
    by: 'test/aws/stage.ts',
    how: 'with the settings of the emulator, and without questions',
  },
  {
    matches: /: git pull /,
    by: 'test/aws/scenarios/lifetime.ts',
    how: 'deploys again, with other settings; there is nothing to pull',
  },
  {
    matches: /^README\.md: npm ci && npm start$|first-day\.md: npm ci .*&& npm pack/,
    by: 'test/package/run.ts',
    how: 'in a copy of the checkout with its dependencies; .ci/run types npm ci',
  },
  {
    matches: /(?:first-day|consumer-typescript)\.md: |one-machine\.md: (?:mkdir|npm|cp|install|cd) /,
    by: 'test/package/guides.ts',
    how: 'whole blocks, in their order',
  },
  {
    matches: /: python3 -m venv /,
    by: 'test/python/virtual-environment.ts',
    how: 'with pinned versions',
  },
  {
    matches: /: PAGE_CLIENT_SECRET=/,
    by: 'test/page/team-guide.long.test.ts',
    how: 'with an identity provider of its own',
  },
  { matches: /: aws | --stage |: for part in| --verify copy /, by: emulator },
  { matches: /: (?:curl|openssl|jq|export|read) |gene-panel-notifier [a-z]/, by: oneMachine },
];

/** The entry of a command; undefined where no entry matches. */
export const entryOf = ({ page, line }: ShellCommand): Typed | Untyped | undefined =>
  entries.find(({ matches }) => matches.test(`${page}: ${line}`));

/** The commands of a block, in their order. */
function commandsIn(page: string, code: string): readonly ShellCommand[] {
  const lines = code.replaceAll(/\\\n\s*/g, '').split('\n');
  const found: ShellCommand[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line.trim() === '') continue;
    if (line.startsWith('for '))
      found.push({ page, line: [line, ...lines.splice(0, lines.indexOf('done') + 1)].join('\n') });
    else if (line.includes('/dev/stdin') && lines.join('') !== '')
      found.push({ page, line, input: lines.splice(0).join('\n') });
    else found.push({ page, line: line.trim() });
  }
  return found;
}

/** Each command of the pages for readers: the blocks in `sh`, then what the prose types into AWS with options. */
export const shellCommands: readonly ShellCommand[] = pages
  .filter(({ path }) => /^(?:README\.md$|SECURITY\.md$|docs\/|examples\/|consumer\/)/.test(path))
  .flatMap(({ path, blocks, prose }) => [
    ...blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => commandsIn(path, code)),
    ...[...prose.matchAll(/`(aws \S+ \S+ [^`]*--[^`]+)`/g)].map(([, line = '']) => ({ page: path, line })),
  ]);

/** What one file types. */
export const commandsOf = (by: string): readonly ShellCommand[] =>
  shellCommands.filter((command) => {
    const entry = entryOf(command);
    return entry !== undefined && 'by' in entry && entry.by === by;
  });
