import { execFileSync } from 'node:child_process';

/**
 * Prints the lines of source and test of each room, as they are in this folder, and how many more or fewer they are than
 * in the last commit: `npm run size`, or `npm run size -- COMMIT` for those since another one.
 */

interface Size {
  files: number;
  source: number;
  test: number;
}

/** Folders of source; what lies elsewhere, such as settings and examples, is not counted. */
const SOURCE = ['bin', 'lib', 'lambdas', 'page', 'consumer', 'sandbox', 'scripts'];

/** The room of a file: its folder; below `lambdas` the folder in it, as for the tests that mirror one. */
function roomOf(path: string): string {
  const [folder = '', inner = '', ...rest] = path.split('/');
  if (folder === 'lambdas' && rest.length > 0) return `lambdas/${inner}`;
  if (folder !== 'test') return folder;
  if (rest.length === 0) return 'test';
  if (SOURCE.includes(inner)) return inner;
  return lambdas.has(inner) ? `lambdas/${inner}` : `test/${inner}`;
}

function linesOf(commit: string | undefined): readonly (readonly [path: string, lines: number])[] {
  const where = commit === undefined ? ['--untracked', '-e', ''] : ['-e', '', commit];
  const counted = execFileSync('git', ['grep', '-c', '-I', '-z', ...where, '--', ...SOURCE, 'test'], {
    ...{ encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  return counted
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', lines] = line.split('\0');
      return [commit === undefined ? name : name.slice(commit.length + 1), Number(lines)] as const;
    })
    .filter(([path]) => /\.(ts|js|css)$/.test(path));
}

function roomsOf(files: ReturnType<typeof linesOf>): ReadonlyMap<string, Size> {
  const rooms = new Map<string, Size>();
  for (const [path, lines] of files) {
    const room = roomOf(path);
    const size = rooms.get(room) ?? { files: 0, source: 0, test: 0 };
    rooms.set(room, size);
    if (path.startsWith('test/')) size.test += lines;
    else {
      size.source += lines;
      size.files += 1;
    }
  }
  return rooms;
}

const since = process.argv[2] ?? 'HEAD';
const commit = execFileSync('git', ['rev-parse', '--short', `${since}^{commit}`], {
  encoding: 'utf8',
}).trim();
const [filesNow, filesBefore] = [linesOf(undefined), linesOf(commit)];
/** The rooms of `lambdas`, now or before. */
const lambdas = new Set(
  [...filesNow, ...filesBefore].flatMap(([path]) => /^lambdas\/([^/]+)\//.exec(path)?.[1] ?? []),
);
const [now, before] = [roomsOf(filesNow), roomsOf(filesBefore)];

const none: Size = { files: 0, source: 0, test: 0 };
const sum = (rooms: ReadonlyMap<string, Size>, part: keyof Size): number =>
  [...rooms.values()].reduce((total, size) => total + size[part], 0);
const total = (rooms: ReadonlyMap<string, Size>): Size => ({
  files: sum(rooms, 'files'),
  source: sum(rooms, 'source'),
  test: sum(rooms, 'test'),
});
const change = (more: number): string => (more === 0 ? '' : more > 0 ? `+${more}` : String(more));
const line = (room: string, own: Size, earlier: Size): string => {
  const cells = (['source', 'files', 'test'] as const).map(
    (part) => String(own[part]).padStart(8) + change(own[part] - earlier[part]).padStart(8),
  );
  return `${room.padEnd(26)}${cells.join('')}`.trimEnd();
};

const names = [...new Set([...now.keys(), ...before.keys()])].toSorted();
const heads = ['source', 'files', 'test'].map((name) => name.padStart(8) + ' '.repeat(8)).join('');
// In one piece: `npm run size | head` closes the pipe before a second.
process.stdout.write(
  [
    `${`lines, since ${commit}`.padEnd(26)}${heads}`.trimEnd(),
    ...names.map((name) => line(name, now.get(name) ?? none, before.get(name) ?? none)),
    `${line('together', total(now), total(before))}\n`,
  ].join('\n'),
);
