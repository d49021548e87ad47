import { statSync } from 'node:fs';
import type { StateFile } from './sqlite-file.ts';

interface FilePlace {
  /** What shows that the file is a copy, in a sentence; null where nothing does. */
  copied(): string | null;
  /** Remembers the present file; within a transaction. */
  settle(): void;
}

const BACKUP = 'backup ';

/** The place of one catalogue's state. */
export function placeOf({ database, path }: StateFile, catalogue: string): FilePlace {
  const select = database.prepare('SELECT identity FROM place WHERE catalogue = ?');
  const upsert = database.prepare(
    'INSERT INTO place (catalogue, identity) VALUES (?, ?) ON CONFLICT (catalogue) DO UPDATE SET identity = excluded.identity',
  );
  let isSettled = path === ':memory:';
  return {
    copied() {
      if (isSettled) return null;
      const known = select.get(catalogue)?.identity;
      if (typeof known !== 'string' || isSame(known, path)) return null;
      return known.startsWith(BACKUP)
        ? `The file ${path} was restored: it is a backup of ${known.slice(BACKUP.length)}.`
        : `The file ${path} is a copy: it was restored from a backup, or moved here.`;
    },
    settle() {
      if (isSettled) return;
      const { ino, birthtimeNs } = statSync(path, { bigint: true });
      upsert.run(catalogue, `${ino} ${birthtimeNs}`);
      isSettled = true;
    },
  };
}

/** Marks a copy of a state file as a backup, for every catalogue in it. */
export function markAsBackup({ database }: Pick<StateFile, 'database'>, madeAt: string): void {
  database
    .prepare('INSERT OR REPLACE INTO place (catalogue, identity) SELECT catalogue, ? FROM position')
    .run(`${BACKUP}${madeAt}`);
}

/** A file system that does not know when a file was made gives the time of its last change, or none. */
function isSame(known: string, path: string): boolean {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const [knownIno, knownBirth] = known.split(' ');
  return knownIno === String(ino) && (birthtimeNs === ctimeNs || knownBirth === String(birthtimeNs));
}
