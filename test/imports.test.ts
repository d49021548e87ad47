import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { expect, test } from 'vitest';
import { root, sourcesIn } from './sources.ts';

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const [, roomsTable = '', directionsTable = ''] = page.split(/^## (?:Rooms|Import directions)$/m);

/** The rooms of `lambdas/`, from the ground up. */
const floors = [...roomsTable.matchAll(/^\| `(lambdas\/[a-z]+)` \|/gm)].map(([, room = '']) => room);

/** Which folder may import from which, as docs/architecture.md says; what is not listed may not. */
const directions: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...directionsTable.matchAll(/^\| `([^`]+)` \| ((?:`[^`]+`(?:, )?)+) \|$/gm)].map(
    ([, folder = '', allowed = '']) => [
      folder,
      [...allowed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    ],
  ),
);

const allowedFor = (folder: string): readonly string[] => [
  ...floors.slice(0, Math.max(0, floors.indexOf(folder))),
  ...(directions[folder] ?? []),
];

/** Names and settings alone, for deployment code: nothing that runs. */
const namesAndSettings = [
  'lambdas/channels/channel-settings.ts',
  'lambdas/channels/channel-settings.ts',
  'lambdas/run/alarm-kinds.ts',
  'lambdas/functions/settings.ts',
  'lambdas/events/attributes.ts',
  'lambdas/events/changes.ts',
  'lambdas/events/kinds.ts',
  'lambdas/events/schemas.ts',
  'lambdas/catalogue/http/loopback.ts',
  'lambdas/words/privacy.ts',
  'lambdas/run/metric-names.ts',
  'lambdas/notify/subscription.ts',
  'lambdas/functions/page/page-plan.ts',
  'lambdas/panels/settings.ts',
  'lambdas/filters/followed-panels.ts',
  'lambdas/filters/filter.ts',
  'lambdas/filters/filter-schema.ts',
  'lambdas/filters/filter-policy.ts',
  'lambdas/filters/nearest.ts',
  'lambdas/store/overlap.ts',
  'lambdas/store/table-keys.ts',
  'lambdas/filters/filter-policy.ts',
  'lambdas/filters/filter.ts',
  'lambdas/questions/worklist/worklist-settings.ts',
];

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(folder: string): Import[] {
  return sourcesIn(folder).flatMap((from) => {
    const source = readFileSync(join(root, from), 'utf8');
    const paths = [...source.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path = '']) => path);
    return paths.map((path) => ({ from, to: normalize(join(dirname(from), path)) }));
  });
}

const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('lambdas') ? 2 : 1)
    .join('/');
const rooms = ['bin', 'consumer', 'lib', 'lambdas', 'page', 'sandbox', 'scripts'];
const imports = rooms.flatMap(importsOf);

test('imports go only where the table lets them', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [own, other] = [folderOf(from), folderOf(to)];
    if (own === other || to.endsWith('package.json')) return false;
    return !allowedFor(own).some((folder) =>
      to.startsWith(folder.endsWith('*') ? folder.slice(0, -1) : `${folder}/`),
    );
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toStrictEqual([]);
  expect(imports.length).toBeGreaterThan(150);
});

test('deployment code imports only names and settings from run-time code', () => {
  const runTime = imports.filter(({ from, to }) => from.startsWith('lib/') && to.startsWith('lambdas/'));
  expect(runTime.map(({ to }) => to).filter((to) => !namesAndSettings.includes(to))).toStrictEqual([]);
  expect(runTime.length).toBeGreaterThan(2);
});

test('no folder is without its line in a table', () => {
  const folders = new Set(imports.map(({ from }) => folderOf(from)));
  expect([...folders].filter((folder) => !(folder in directions || floors.includes(folder)))).toStrictEqual(
    [],
  );
  expect(floors).toHaveLength(16);
});

/** The folders that the published package holds. */
const shipped = rooms.filter((room) => room !== 'scripts');

test('nothing outside test imports from test', () => {
  expect(imports.filter(({ to }) => to.startsWith('test/'))).toStrictEqual([]);
});

test('the examples import the package by its name, as its users do', () => {
  const inner = importsOf('examples');
  const outward = inner.filter(({ from, to }) => dirname(from) !== dirname(to));
  expect(outward.map(({ from, to }) => `${from} imports ${to}`)).toStrictEqual([]);
  expect(inner.length).toBeGreaterThan(10);
});

const cutTo =
  (depth: number) =>
  (file: string): string =>
    dirname(file).split('/').slice(0, depth).join('/');

test.each([
  ['rooms of the table', folderOf],
  ['folders inside them', cutTo(2)],
  ['folders inside those', cutTo(3)],
])('no %s import from each other in a circle', (_, folder) => {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [own, other] = [folder(from), folder(to)];
    // A folder and one inside it are one room.
    if (`${own}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${own}/`)) continue;
    graph.set(own, (graph.get(own) ?? new Set()).add(other));
  }
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    [...(graph.get(from) ?? [])].some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      return reaches(next, goal, seen.add(next));
    });
  expect([...graph.keys()].filter((start) => reaches(start, start))).toStrictEqual([]);
  expect(graph.size).toBeGreaterThan(10);
});

test('what ships needs the dependencies of the package, all of them, and no development dependency', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  const loaded = shipped.flatMap((folder) =>
    sourcesIn(folder).flatMap((file) => {
      // An import of types alone leaves nothing behind in the built package.
      const code = readFileSync(join(root, file), 'utf8').replace(/^(?:import|export) type .*?;$/gms, '');
      return [...code.matchAll(/\b(?:from|import)\s*\(?'(@?[a-z][\w@./:-]*)'/g)]
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => !specifier.startsWith('node:'))
        .map((specifier) => ({ file, name: packageOf(specifier) }));
    }),
  );
  expect(loaded.filter(({ name }) => !known.includes(name))).toStrictEqual([]);
  expect(loaded.length).toBeGreaterThan(50);
  const used = new Set(loaded.map(({ name }) => name));
  expect(Object.keys(dependencies).filter((name) => !used.has(name))).toStrictEqual([]);
});

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

test('time and chance come from the clock alone', () => {
  const taking = rooms.flatMap(sourcesIn).filter((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    return /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bset(?:Timeout|Interval)\(|\bperformance\.now\(/.test(
      code,
    );
  });
  expect(taking).toStrictEqual(['lambdas/run/clock.ts']);
});

test('no files import each other in a circle', () => {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of graph.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  expect(circles).toStrictEqual([]);
  expect(done.size).toBeGreaterThan(300);
});
