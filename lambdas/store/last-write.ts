import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import * as z from 'zod';
import type { Position } from './position.ts';

/**
 * The version and mark of the last write, in a file beside the state file. SQLite silently drops what it cannot read of
 * its write-ahead log. This file then shows that a later version was written.
 */
interface LastWrite {
  read(): Pick<Position, 'version' | 'mark'> | null;
  save(position: Position): void;
}

const schema = z.object({ version: z.number(), mark: z.string().transform(BigInt) });

/** Bytes that each version and mark fit into: the file is overwritten in place, so that it is never empty. */
const FILE_BYTES = 80;

/**
 * The last write of one catalogue.
 * @param file null where the state is kept in memory
 */
export function lastWriteIn(file: string | null): LastWrite {
  return {
    read() {
      if (file === null) return null;
      try {
        return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Missing or damaged: then the last write is unknown.
        return null;
      }
    },
    save({ version, mark }) {
      if (file === null) return;
      try {
        const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
        writeSync(descriptor, JSON.stringify({ version, mark: String(mark) }).padEnd(FILE_BYTES), 0);
        closeSync(descriptor);
      } catch {
        // The state itself was written; this file only helps to find damage.
      }
    },
  };
}
