import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

interface WholeLines {
  /** Whether the file had lines already. */
  readonly begun: boolean;
  /**
   * Appends a text whole or not at all: where the disk takes a part of it only, that part is cut off again.
   * @throws {NodeJS.ErrnoException} when it was not written
   */
  write(text: string | Buffer): void;
  close(): void;
}

interface WholeLinesOptions {
  /** Removes what the file held. */
  readonly replaces?: boolean;
  /** Of a file that is created. */
  readonly mode?: number;
  /** Whether each text is on the disk before `write` returns. */
  readonly syncs?: boolean;
}

/**
 * Opens a file for whole lines. A line that an earlier process left unfinished is ended, so that the next one stands alone.
 * @throws {NodeJS.ErrnoException} when it cannot be written
 */
export function openWholeLines(
  path: string,
  { replaces = false, mode = 0o666, syncs = false }: WholeLinesOptions = {},
): WholeLines {
  const handle = openSync(path, 'a+', mode);
  try {
    const isFile = fstatSync(handle).isFile();
    if (replaces && isFile) ftruncateSync(handle);
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    if (size > 0) {
      readSync(handle, last, 0, 1, size - 1);
      if (last.toString() !== '\n') writeSync(handle, '\n');
    }
    return {
      begun: size > 0,
      write(text) {
        const bytes = typeof text === 'string' ? Buffer.from(text) : text;
        const before = fstatSync(handle).size;
        try {
          for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
          if (syncs) fsyncSync(handle);
        } catch (error) {
          if (isFile) ftruncateSync(handle, before);
          throw error;
        }
      },
      close: () => closeSync(handle),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}
