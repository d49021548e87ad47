import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Position } from './store.ts';

/**
 * A note of the last write, beside the state file. SQLite silently drops what it cannot read of its write-ahead log:
 * the note shows that the file was further than it says.
 */
export interface LastWrite {
  read(): Pick<Position, 'version' | 'mark'> | null;
  note(position: Position): void;
}

const noteSchema = z.object({ version: z.number(), mark: z.string().transform(BigInt) });

/** @param file a file for each catalogue; null where the state is kept in memory */
export function lastWriteIn(file: string | null): LastWrite {
  return {
    read() {
      if (file === null) return null;
      try {
        return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Missing, or cut short by a crash: then nothing is known.
        return null;
      }
    },
    note({ version, mark }) {
      if (file === null) return;
      try {
        writeFileSync(file, JSON.stringify({ version, mark: String(mark) }));
      } catch {
        // The state itself was written; the note only helps to find damage.
      }
    },
  };
}
