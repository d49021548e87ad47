import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from './new-folder.ts';

/**
 * A channel, an alarm, a kind of event or a silent difference that lacks a part does not compile. Tried with copies of the
 * sources: in one, each table of such variants stands once more without one of its parts; in the other, each list of kinds
 * has one more kind.
 */

/** A declaration whose parts the compiler must miss: the line that opens it, and how far its parts are indented. */
interface Declaration {
  readonly file: string;
  readonly opens: string;
  readonly indent: number;
}

const declarations: Readonly<Record<string, Declaration>> = {
  'a channel': {
    file: 'lambdas/channels/adaptive-card.ts',
    opens: "export const webex: ChannelType<'webex'> = {",
    indent: 2,
  },
  'the list of channels': {
    file: 'lambdas/channels/channels.ts',
    opens: 'const channels: Channels = {',
    indent: 2,
  },
  'the settings of a channel': {
    file: 'lambdas/channels/channel-settings.ts',
    opens: '  email: declare({',
    indent: 4,
  },
  'the looks of channels': { file: 'page/event/chat-forms.ts', opens: 'const forms: {', indent: 2 },
  'an alarm': { file: 'lambdas/run/alarm-kinds.ts', opens: "  'listing-refused': {", indent: 4 },
  'the words of alarms': {
    file: 'lambdas/words/notice-of-alarm.ts',
    opens: 'const words: Readonly<Record<AlarmId, AlarmWords>> = {',
    indent: 2,
  },
  'the alarms of one machine': {
    file: 'bin/local/alarm-conditions.ts',
    opens: 'const ownConditions: Readonly<Record<OwnAlarmId, Conditional>> = {',
    indent: 2,
  },
  'a difference': { file: 'lambdas/differences/panel-facts.ts', opens: '  visible: {', indent: 4 },
  'the differences of panels': {
    file: 'lambdas/differences/panel-facts.ts',
    opens: 'const table = {',
    indent: 2,
  },
  'the differences of entities': {
    file: 'lambdas/differences/entity-facts.ts',
    opens: 'const table = {',
    indent: 2,
  },
  'the schemas of events': {
    file: 'lambdas/events/changes.ts',
    opens: 'export const changeSchemas = {',
    indent: 2,
  },
  'the sentences of events': {
    file: 'lambdas/events/summary.ts',
    opens: 'const sentences: {',
    indent: 2,
  },
  'the words of events about entities': {
    file: 'lambdas/words/event-words.ts',
    opens: 'const entityEventWords: ',
    indent: 2,
  },
  'the words of events about panels': {
    file: 'lambdas/words/event-words.ts',
    opens: 'const panelEventWords: ',
    indent: 2,
  },
};

/** One more kind in a list, and the files in which the compiler then misses something. */
const additions: readonly {
  readonly file: string;
  readonly before: string;
  readonly added: string;
  readonly missed: readonly string[];
}[] = [
  {
    file: 'lambdas/channels/channel-settings.ts',
    before: '  teams: declare(webhook),\n',
    added: '  zulip: declare(webhook),\n',
    missed: ['lambdas/channels/channels.ts', 'page/event/chat-forms.ts'],
  },
  {
    file: 'lambdas/run/alarm-kinds.ts',
    before: "  'listing-refused': {\n",
    added: `  'made-up': {
    observed: () => '', watch: () => null,
  },
`,
    missed: ['lambdas/words/notice-of-alarm.ts', 'bin/local/alarm-conditions.ts'],
  },
  {
    file: 'lambdas/differences/shown.ts',
    before: '  readonly description: string;\n',
    added: '  readonly madeUp: string;\n',
    missed: ['lambdas/differences/panel-facts.ts', 'lambdas/reconcile/differences-of.ts'],
  },
  {
    file: 'lambdas/differences/shown.ts',
    before: '  readonly variantType: string | null;\n',
    added: '  readonly madeUpToo: string | null;\n',
    missed: [
      'lambdas/differences/entity-facts.ts',
      'lambdas/reconcile/differences-of.ts',
      'lambdas/panels/state-facts.ts',
    ],
  },
  {
    file: 'lambdas/events/kinds.ts',
    before: "  'entity.removed': {\n",
    added: "  'entity.made-up': { topic: 'membership', about: 'entity', meaning: '' },\n",
    missed: ['lambdas/events/changes.ts', 'lambdas/events/summary.ts', 'lambdas/words/event-words.ts'],
  },
];

const folders = ['lambdas', 'lib', 'bin', 'page', 'sandbox', 'consumer'];
const top = newFolder();
const variants = new Map<string, readonly string[]>();
let withoutParts: ReadonlySet<string>;
let withKinds: ReadonlySet<string>;

beforeAll(async () => {
  withoutParts = await errorsIn('parts', (copy) => {
    for (const [what, declaration] of Object.entries(declarations)) {
      const source = readFileSync(declaration.file, 'utf8');
      const files = partsOf(source, declaration).map((text, part) => {
        const file = declaration.file.replace(/\.ts$/, `.${slug(what)}-without-${part}.ts`);
        writeFileSync(join(copy, file), source.replace(text, ''));
        return file;
      });
      const whole = declaration.file.replace(/\.ts$/, `.${slug(what)}-whole.ts`);
      writeFileSync(join(copy, whole), source);
      variants.set(what, [...files, whole]);
    }
  });
  withKinds = await errorsIn('kinds', (copy) => {
    for (const { file, before, added } of additions) {
      const source = readFileSync(join(copy, file), 'utf8');
      if (source.split(before).length !== 2) throw new Error(`${file} does not have once: ${before}`);
      writeFileSync(join(copy, file), source.replace(before, added + before));
    }
  });
}, 300_000);

describe.each(Object.keys(declarations))('%s', (what) => {
  test('does not compile without any one of its parts, and does as it is', () => {
    const files = variants.get(what) ?? [];
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => !withoutParts.has(file))).toStrictEqual(files.slice(-1));
  });
});

test.each(additions)('one more kind in $file is missed elsewhere', ({ missed }) => {
  expect(missed.filter((file) => !withKinds.has(file))).toStrictEqual([]);
});

const slug = (text: string): string => text.replaceAll(' ', '-');

/** The texts of the parts of a declaration: each begins with a name at its indentation, and ends before the next one. */
function partsOf(source: string, { opens, indent }: Declaration): readonly string[] {
  const from = source.indexOf(`\n${opens}`);
  if (from < 0) throw new Error(`No line begins with: ${opens}`);
  const outer = ' '.repeat(indent - 2);
  const start = source.indexOf('{\n', from) + 2;
  const body = source.slice(opens.endsWith('{') ? start : source.indexOf('= {\n', from) + 4);
  const end = new RegExp(`^${outer}[})]`, 'm').exec(body)?.index ?? 0;
  return body
    .slice(0, end)
    .split(new RegExp(`^(?=${outer}  ['\\w])`, 'm'))
    .filter((part) => new RegExp(`^${outer}  ['\\w]`).test(part));
}

/** The files in which the compiler finds an error, in a copy of the sources that `change` has changed. */
async function errorsIn(name: string, change: (copy: string) => void): Promise<ReadonlySet<string>> {
  const copy = join(top, name);
  for (const folder of folders)
    cpSync(folder, join(copy, folder), { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  cpSync('package.json', join(copy, 'package.json'));
  const settings = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  // A part that is gone may leave an import unused: that is no missing part.
  Object.assign(settings.compilerOptions, { noUnusedLocals: false, noUnusedParameters: false });
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ ...settings, include: folders }));
  change(copy);
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--pretty', 'false'], {
    cwd: copy,
    maxBuffer: 2 ** 26,
  }).catch((failed: { readonly stdout: string }) => failed);
  // 1360: what does not satisfy a type. Other codes that begin with 1 are about syntax.
  const errors = stdout.matchAll(/^(\S+?)\(\d+,\d+\): error TS(?:2\d+|1360):/gm);
  return new Set([...errors].map(([, file = '']) => file));
}
