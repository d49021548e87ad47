import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { expect, test } from 'vitest';
import { root, sourcesIn } from './sources.ts';

const rooms = ['bin', 'consumer', 'lib', 'lambdas', 'page', 'sandbox', 'scripts', 'examples', 'test'];

/** Names that something other than an import reads: AWS Lambda, the package's users, the configuration, Vitest. */
const entries: readonly RegExp[] = [
  /^(lambdas\/functions|examples)\/[\w-]+\/handler\.ts: handler$/,
  /^consumer\/(event-types|impact|interpretation|validate|verify)\.ts: /,
  // The text of the generated file.
  /^scripts\/event-types\.ts: (Changes|About)$/,
  /^bin\/main\.ts: main$/,
  /^test\/temporary-folder\.ts: setup$/,
];

interface Exported {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  /** What follows the name on its line. */
  readonly rest: string;
  readonly documented: boolean;
}

const codeOf = new Map(
  rooms.flatMap(sourcesIn).map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
);
const exported = [...codeOf].flatMap(([file, code]) => exportsOf(file, code));

function exportsOf(file: string, code: string): Exported[] {
  const declared =
    /^export (?:async |abstract |declare )*(const|function|class|interface|type)\*? (\w+)(.*)$/gm;
  return [...code.matchAll(declared)].map(({ 1: kind = '', 2: name = '', 3: rest = '', index }) => {
    const documented = code.slice(0, index).endsWith('*/\n');
    return { file, kind, name, rest, documented };
  });
}

/** The names that files take from others, as `file: name`; a file that is imported as a whole has the name `*`. */
function importedNames(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [from, code] of codeOf) {
    const clauses =
      /^(?:import|export) (?:type )?(\{[^}]*\}|\*[\w ]*) from '(\.[^']+)'|import\('(\.[^']+)'\)/gm;
    for (const [, clause = '*', path, dynamic] of code.matchAll(clauses)) {
      const file = normalize(join(dirname(from), path ?? dynamic ?? ''));
      for (const part of clause.replaceAll(/[{}]/g, '').split(',')) {
        const name = part
          .trim()
          .replace(/^type /, '')
          .split(' ')[0];
        if (name) names.add(`${file}: ${name}`);
      }
    }
  }
  return names;
}

const nameOf = ({ file, name }: Exported): string => `${file}: ${name}`;

test('each exported name is imported by another file', () => {
  const imported = importedNames();
  const unused = exported.filter(
    (one) =>
      !imported.has(nameOf(one)) &&
      !imported.has(`${one.file}: *`) &&
      !entries.some((entry) => entry.test(nameOf(one))),
  );
  expect(unused.map(nameOf)).toStrictEqual([]);
  expect(exported.length).toBeGreaterThan(1000);
});

test('each exported function, class and type that is not named by its schema or options has a docstring', () => {
  const needed = exported.filter(
    ({ file, kind, name, rest }) =>
      !file.startsWith('test/') &&
      // A table or a schema is read at its own lines; a type that is derived from one has its words there.
      (kind !== 'const' || /=>$|=> /.test(rest)) &&
      !/^ = (z\.|\(typeof |keyof typeof |typeof |Changes\[)/.test(rest) &&
      // The function that takes them says what they are for, and each field what it is.
      !/(Options|Props|Values)$/.test(name),
  );
  expect(needed.filter(({ documented }) => !documented).map(nameOf)).toStrictEqual([]);
  expect(needed.length).toBeGreaterThan(500);
});
