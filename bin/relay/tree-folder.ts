import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MANIFEST, type Manifest, printManifest, sha256 } from '../../lambdas/questions/relay/manifest.ts';
import type { TreeFiles } from '../../lambdas/questions/relay/write-tree.ts';

/** A folder that is being written, with a manifest at its end. */
interface TreeFolder extends TreeFiles {
  /** Names a file in the manifest that lies there by a link. */
  name(path: string, digest: string): void;
  /** Writes the manifest, and returns it. */
  close(): Promise<string>;
}

/** A folder as it was before. */
export interface FolderBefore {
  readonly path: string;
  readonly files: Manifest;
}

/**
 * Begins a folder at a path where nothing is.
 * @param placeOf where a file lies that may have the same content
 */
export function createTreeFolder(
  root: string,
  before: FolderBefore | null,
  placeOf: (path: string) => string,
): TreeFolder {
  const files = new Map<string, string>();
  const made = new Set<string>();
  let changed = 0;
  const newPlace = async (path: string): Promise<string> => {
    const place = join(root, path);
    const folder = dirname(place);
    if (!made.has(folder)) await mkdir(folder, { recursive: true });
    made.add(folder);
    return place;
  };
  return {
    get count() {
      return { files: files.size, changed };
    },
    async put({ path, body }, ...likely) {
      const place = await newPlace(path);
      const [old, digest] = [before && join(before.path, path), before?.files.get(path)];
      if (body === null) {
        if (old === null || digest === undefined) throw new Error(`${path} was to be there already`);
        await linkOr(old, place, () => readFile(old));
        files.set(path, digest);
        return;
      }
      const bytes = Buffer.from(body);
      files.set(path, sha256(bytes));
      for (const candidate of [...(old === null ? [] : [old]), ...likely.map(placeOf)]) {
        const there = await readFile(candidate).catch(() => null);
        if (!there?.equals(bytes)) continue;
        if (candidate !== old) changed += 1;
        await linkOr(candidate, place, async () => bytes);
        return;
      }
      changed += 1;
      await writeFile(place, bytes, { flag: 'wx' });
    },
    name: (path, digest) => void files.set(path, digest),
    async close() {
      const manifest = printManifest(files);
      await writeFile(await newPlace(MANIFEST), manifest, { flag: 'wx' });
      return manifest;
    },
  };
}

/** A hard link; where the file system has none, or no more of them, a copy. */
async function linkOr(from: string, to: string, read: () => Promise<Buffer>): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await writeFile(to, await read(), { flag: 'wx' });
  }
}
