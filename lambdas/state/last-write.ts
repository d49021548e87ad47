import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import * as z from 'zod';
import type { Position } from './store.ts';

/**
 * A note of the last write, beside the state file. SQLite silently drops what it cannot read of its write-ahead log:
 * the note shows that the file was further than it says.
 */
interface LastWrite {
  read(): Pick<Position, 'version' | 'mark'> | null;
  note(position: Position): void;
}

const noteSchema = z.object({ version: z.number(), mark: z.string().transform(BigInt) });

/** Long enough for every note: one is written over the other, without a moment at which there is none. */
const NOTE_LENGTH = 80;

/** @param file a file for each catalogue; null where the state is kept in memory */
export function lastWriteIn(file: string | null): LastWrite {
  return {
    read() {
      if (file === null) return null;
      try {
        return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Missing or damaged: then nothing is known.
        return null;
      }
    },
    note({ version, mark }) {
      if (file === null) return;
      try {
        const note = openSync(file, constants.O_WRONLY | constants.O_CREAT);
        writeSync(note, JSON.stringify({ version, mark: String(mark) }).padEnd(NOTE_LENGTH), 0);
        closeSync(note);
      } catch {
        // The state itself was written; the note only helps to find damage.
      }
    },
  };
}
