import { existsSync, globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { Command } from '../../bin/command.ts';
import { allQuestions as questions } from '../../lambdas/questions/all.ts';
import { deploymentSchema, settingsSchemaAt } from '../../lib/settings.ts';
import { messageSubscriptionSchema, queueSubscriptionSchema } from '../../lib/subscription-settings.ts';
import { runCommand } from '../bin/run-command.ts';
import { pages } from './pages.ts';

/** What the pages show to be typed: commands, options, settings, programs. */

/** The help of each command that is written by hand. */
const usages = new Map<string, string>();
/** The help that follows from the declaration of each question. */
const questionHelps = new Map<string, string>();

beforeAll(async () => {
  for (const file of globSync('bin/commands/*.ts')) {
    const module: Readonly<Record<string, Command>> = await import(pathToFileURL(file).href);
    for (const { name, usage } of Object.values(module)) if (usage) usages.set(name, usage);
  }
  for (const name of Object.keys(questions)) {
    questionHelps.set(name, (await runCommand([name, '--help'])).stdout);
  }
});

/** The changelog speaks of earlier versions too. */
const current = pages.filter(({ path }) => path !== 'CHANGELOG.md');

interface Called {
  readonly page: string;
  readonly command: string;
  readonly options: readonly string[];
}

/** Each call of the program in a fenced block or in inline code, its continued lines joined. */
function calls(): readonly Called[] {
  return current.flatMap(({ path, blocks, prose }) => {
    const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    const lines = [...blocks.map(({ code }) => code.replaceAll(/\\\n\s*/g, ' ')), ...inline]
      .join('\n')
      .split('\n');
    return lines.flatMap((line) =>
      [...line.matchAll(/(?:npx |\/)gene-panel-notifier ([a-z]+(?:-[a-z]+)*)((?:(?![|;&]| # ).)*)/g)].map(
        ([, name = '', rest = '']) => ({
          page: path,
          // `messages queues` has options of its own.
          command: [`${name} ${rest.trim().split(' ')[0]}`].find((part) => usages.has(part)) ?? name,
          options: [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([option]) => option),
        }),
      ),
    );
  });
}

test('every command that a page shows exists, with its options', () => {
  const found = calls();
  const wrong = found.flatMap(({ page, command, options }) => {
    const usage = [usages.get(command), questionHelps.get(command)].join('\n');
    if (usage === '\n') return [`${page}: ${command}`];
    return options
      .filter((option) => option !== '--help' && !new RegExp(`${option}(?![a-z-])`).test(usage))
      .map((option) => `${page}: ${command} ${option}`);
  });
  expect(wrong).toStrictEqual([]);
  expect(found.length).toBeGreaterThan(25);
});

test('the help of each question says what the command does', () => {
  const verbs = [...questionHelps.values()].map(
    (help) => /^\n?(\w+) /m.exec(help.split('\n\n')[1] ?? '')?.[1],
  );
  expect(verbs.toSorted()).toStrictEqual(['Compares', 'Finds', 'Lists', 'Lists', 'Reports', 'Searches']);
});

test('every option that a help names is one of a command', () => {
  const help = [...usages.values(), ...questionHelps.values()].join('\n');
  const names = (pattern: RegExp) => new Set([...help.matchAll(pattern)].map(([, name = '']) => name));
  const declared = names(/^ {2}--([a-z]+(?:-[a-z]+)*)/gm);
  const shown = names(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g);
  expect([...shown].filter((name) => name !== 'help' && !declared.has(name))).toStrictEqual([]);
  expect(declared.size).toBeGreaterThan(60);
});

/** Options of other programs that the pages name by themselves. */
const others = new Set(['--cloudformation-execution-policies', '--context']);

test('every option that a page names is one of a command', () => {
  const all = [...usages.values(), ...questionHelps.values()].join('\n');
  const scripts = globSync(['scripts/*.ts', 'test/*/run.ts', 'test/bench/*.ts'])
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const wrong = current.flatMap(({ path, prose }) =>
    [...prose.matchAll(/`(--[a-z][a-z-]*)[^`]*`/g)]
      .map(([, option = '']) => option)
      .filter((option) => !new RegExp(`${option}(?![a-z-])`).test(all + scripts) && !others.has(option))
      .map((option) => `${path}: ${option}`),
  );
  expect(wrong).toStrictEqual([]);
});

test('every script that a page names is one of package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = current.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(named.filter(({ name }) => !(name in scripts))).toStrictEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

/** All names of settings, at any depth. */
function settingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node) for (const name of Object.keys(node.properties as object)) names.add(name);
    for (const value of Object.values(node)) walk(value);
  };
  const schemas = [
    settingsSchemaAt(new Date(0)),
    deploymentSchema,
    messageSubscriptionSchema,
    queueSubscriptionSchema,
  ];
  for (const schema of schemas) walk(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  return names;
}

test('every setting in a list of settings is one that the schema has', () => {
  const names = settingNames();
  const lists = current.filter(({ path }) => /^docs\/(deploying|guides\/messages)\.md$/.test(path));
  const keys = lists.flatMap(({ prose }) => {
    const section = /^## Settings\n.*?(?=^##+ )/ms.exec(prose)?.[0] ?? '';
    return [...section.matchAll(/^- ((?:`[^`]*`(?:, )?)+)/gm)].flatMap(([, start = '']) =>
      [...start.matchAll(/`([^`]+)`/g)].flatMap(([, key = '']) =>
        key.split('.').filter((part) => /^[a-z]\w+$/i.test(part)),
      ),
    );
  });
  expect(keys.filter((key) => !names.has(key))).toStrictEqual([]);
  expect(keys.length).toBeGreaterThan(40);
});

test('every program and every JSON text of a page can be parsed', () => {
  const loaders = { ts: 'ts', js: 'js' } as const;
  const wrong = current.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ language, code }) => {
      try {
        if (language === 'ts' || language === 'js')
          transformSync(asModule(code), { loader: loaders[language] });
        else if (language === 'json') JSON.parse(code.includes('…') ? 'null' : code);
        return [];
      } catch (error) {
        return [`${path}: ${String(error).slice(0, 200)}`];
      }
    }),
  );
  expect(wrong).toStrictEqual([]);
});

/** A part of the settings, such as `when: { … },`, is the part of an object; a row of a table that of a list. */
function asModule(code: string): string {
  if (code.startsWith('{')) return `export default [${code}];`;
  return /^'?[\w-]+'?: /.test(code) ? `export default {${code}};` : code;
}

test('every file that a command of a page reads exists', () => {
  const named = current.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ code }) =>
      [...code.matchAll(/(?:file:\/\/|open\(")(docs\/[\w./-]+)/g)].map(([, file = '']) => ({ path, file })),
    ),
  );
  expect(named.filter(({ file }) => !existsSync(file))).toStrictEqual([]);
  expect(named).not.toStrictEqual([]);
});
