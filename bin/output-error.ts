/** Output cannot be written; what was written before is whole. */
class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code = 'OUTPUT_UNWRITABLE';
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EACCES: 'this user may not write there',
  ENOENT: 'there is no such directory',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of this path is not a directory',
  EEXIST: 'a file with this name exists already',
  EROFS: 'the file system is read-only',
  EIO: 'the disk failed',
};

/** The error of a stream or file that takes no more. */
export function unwritable(where: string, cause: unknown): OutputError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new OutputError(
    `Writing to ${where}: ${(code && reasons[code]) ?? message}. Nothing is lost: run the command again.`,
    { cause },
  );
}
