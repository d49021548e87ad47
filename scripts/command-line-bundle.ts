import { hash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { helps } from '../bin/main.ts';
import { leanUndici, moduleBundle, noHttp2 } from '../lib/bundle.ts';

/**
 * Requires some of Node's modules in place of importing them: where an ES module imports one, Node makes every export of it. Of
 * node:http these are fetch and WebSocket, a third of the time in which a command starts; of node:fs and node:util streams and decoders.
 */
const requireBuiltins: Plugin = {
  name: 'require builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?(?:http|fs|util)$/ }, ({ path, kind }) =>
      kind === 'import-statement'
        ? { path: path.replace(/^(?:node:)?/, 'node:'), namespace: 'required' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

/** Requests are sent with HTTP/1.1 alone; the page's server compares what it gets with Node's own classes of HTTP/2. */
const undiciWithoutHttp2: Plugin = {
  name: 'undici without node:http2',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path: noHttp2 } : undefined,
    ),
};

/** A shared part that more entries than this load is put together with others: a file costs half a millisecond, even one of few lines. */
const ENTRIES = 11;
/** A larger part stays alone, and keeps apart those that load it from those that do not. */
const LARGE_BYTES = 40_000;

interface Part {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly exports: readonly string[];
  readonly isEntry: boolean;
  /** Names of the parts that are loaded before it. */
  readonly imports: readonly string[];
}

/**
 * Bundles the command line into a folder, with a file for each command that is loaded when it is called, and one for the thread that
 * writes backlogs. esbuild makes a file of what the same entries share, hundreds of them: most are put together.
 */
export async function bundleCommandLine(outdir: string, options: BuildOptions = {}): Promise<Metafile> {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  try {
    const { metafile } = await build({
      ...moduleBundle,
      ...leanUndici,
      target: 'node22.19',
      entryPoints: ['bin/main.ts', 'bin/local/chunk-writer-thread.ts'],
      outdir: folder,
      splitting: true,
      chunkNames: '[name]-[hash]',
      logLevel: 'warning',
      ...options,
      metafile: true,
      plugins: [requireBuiltins, undiciWithoutHttp2, ...(options.plugins ?? [])],
    });
    await joinParts(partsOf(metafile), { folder, outdir, options });
    for (const file of globSync('*.js.map', { cwd: outdir })) thinOut(join(outdir, file));
    return metafile;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Leaves out of a map what says of the next letters the same as of those before: putting parts together doubles it. */
function thinOut(file: string): void {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const lines = decode(map.mappings).map((line) =>
    line.filter((to, index) => {
      const before = line[index - 1];
      return to[1] !== before?.[1] || to[2] !== before?.[2] || to[3] !== before?.[3];
    }),
  );
  writeFileSync(file, JSON.stringify({ ...map, mappings: encode(lines) }));
}

function partsOf({ outputs }: Metafile): ReadonlyMap<string, Part> {
  const parts = Object.entries(outputs).filter(([file]) => file.endsWith('.js'));
  return new Map(
    parts.map(([file, { bytes, exports, entryPoint, imports }]) => {
      const before = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
      return [
        basename(file),
        {
          ...{ name: basename(file), file: resolve(file), bytes, exports },
          isEntry: entryPoint !== undefined,
          imports: before.map(({ path }) => basename(path)),
        },
      ];
    }),
  );
}

/** Which parts are put together: those that many entries load, and that load the same large ones. No two files then load each other. */
function groupsOf(parts: ReadonlyMap<string, Part>): readonly (readonly Part[])[] {
  const loadedWith = (name: string): ReadonlySet<string> => {
    const names = new Set([name]);
    for (const each of names) for (const before of parts.get(each)?.imports ?? []) names.add(before);
    return names;
  };
  const entries = [...parts.values()].filter(({ isEntry }) => isEntry).map(({ name }) => loadedWith(name));
  // The help of a command loads no more than it did.
  const start = loadedWith('main.js');
  const isShared = ({ name, isEntry }: Part): boolean => !isEntry && !start.has(name);
  const large = new Set(
    [...parts.values()].flatMap((part) => (isShared(part) && part.bytes > LARGE_BYTES ? [part.name] : [])),
  );
  const joined = [...parts.values()].filter(
    (part) =>
      isShared(part) &&
      !large.has(part.name) &&
      entries.filter((names) => names.has(part.name)).length > ENTRIES,
  );
  const groups = Map.groupBy(joined, ({ name }) =>
    [...loadedWith(name)]
      .filter((each) => large.has(each))
      .sort()
      .join(),
  );
  return [...groups.values()].filter((group) => group.length > 1);
}

async function joinParts(
  parts: ReadonlyMap<string, Part>,
  {
    folder,
    outdir,
    options,
  }: { readonly folder: string; readonly outdir: string; readonly options: BuildOptions },
): Promise<void> {
  const moved = new Map<string, { readonly file: string; readonly prefix: string }>();
  const files = groupsOf(parts).map((group) => {
    const file = `shared-${hash('sha256', group.map(({ name }) => name).join()).slice(0, 8)}.js`;
    for (const { name } of group) moved.set(name, { file, prefix: `p${moved.size}_` });
    return { file, group };
  });
  /** Two parts export other things under one name: a prefix keeps them apart. */
  const exported = ({ name, exports }: Part, from: string, isMoving: boolean): string => {
    const names = exports.map((own) => {
      const outside = `${moved.get(name)?.prefix}${own}`;
      return isMoving ? `${own} as ${outside}` : `${outside} as ${own}`;
    });
    return names.length > 0 ? `export{${names.join()}}from'${from}'` : `import'${from}'`;
  };
  const common = {
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node22.19', outbase: folder },
    ...{ minifySyntax: true, minifyWhitespace: true, logLevel: 'warning' },
    ...{ sourcemap: options.sourcemap ?? false, sourcesContent: options.sourcesContent ?? true },
  } as const satisfies BuildOptions;
  const moving = (own: ReadonlySet<string>): Plugin => ({
    name: 'parts in their files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind, namespace }) => {
        const part = parts.get(basename(path));
        if (kind === 'entry-point') return undefined;
        if (!part || kind !== 'import-statement' || namespace === 'moved') return { path, external: true };
        if (own.has(part.name)) return { path: part.file };
        return moved.has(part.name) ? { path, namespace: 'moved' } : { path, external: true };
      });
      onLoad({ filter: /./, namespace: 'moved' }, ({ path }) => {
        const part = parts.get(basename(path));
        const { file } = moved.get(basename(path)) ?? {};
        return part && { contents: exported(part, `${dirname(path)}/${file}`, false) };
      });
    },
  });
  const alone = [...parts.values()].filter(({ name }) => !moved.has(name));
  await Promise.all([
    build({ ...common, outdir, entryPoints: alone.map(({ file }) => file), plugins: [moving(new Set())] }),
    ...files.map(({ file, group }) =>
      build({
        ...common,
        outfile: join(outdir, file),
        stdin: {
          contents: group.map((part) => exported(part, `./${part.name}`, true)).join(';'),
          resolveDir: folder,
        },
        plugins: [moving(new Set(group.map(({ name }) => name)))],
      }),
    ),
  ]);
}

/** Writes the helps of the commands beside their bundle, which then prints them without loading a command. */
export async function writeHelps(outdir: string): Promise<void> {
  const texts = [...helps].map(async ([name, help]) => [name, await help()] as const);
  const built = Object.fromEntries(await Promise.all(texts));
  writeFileSync(join(outdir, 'helps.json'), `${JSON.stringify(built)}\n`);
}

/**
 * Writes what says the version, which the command line reads one folder above its own, and that the files are ECMAScript modules: Node
 * would try each of them as CommonJS first.
 */
export function writeManifest(folder: string): void {
  const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, type, private: true })}\n`);
}
