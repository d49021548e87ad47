import { createReadStream } from 'node:fs';
import { type Columns, fieldNames } from '../../lambdas/impact/case-columns.ts';
import { type CaseInput, formatOf, readCases } from '../../lambdas/impact/read-cases.ts';
import { type Io, UsageError } from '../command.ts';

/** The file of `--cases`; `-` is standard input. */
export const caseFile = (file: string, { stdin }: Pick<Io, 'stdin'>): CaseInput => ({
  name: file === '-' ? 'standard input' : file,
  format: formatOf(file),
  open: () => (file === '-' ? stdin : createReadStream(file)),
});

/**
 * Reads `--columns case=…,panel=…,version=…,date=…`.
 * @throws {UsageError} when a field is unknown
 */
export function readColumns(text: string | undefined): Columns {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, field = '', column = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
      if (fieldNames.some((known) => known === field) && column !== '') return [field, column];
      throw new UsageError(
        `--columns ${JSON.stringify(pair)}: expected FIELD=COLUMN, with one of the fields ${fieldNames.join(', ')}`,
      );
    }),
  );
}

/**
 * The file of `--cases` of a page, which reads it for each view of the worklist and keeps nothing of it. It is read once now, so that
 * a wrong file is refused at the start.
 * @throws {UsageError | CasesError} when it cannot be read, or holds no case
 */
export async function pageCases(
  file: string | undefined,
  io: Pick<Io, 'stdin'>,
): Promise<{ readonly cases?: CaseInput }> {
  if (file === undefined) return {};
  if (file === '-')
    throw new UsageError('--cases -: expected a file, since each view of the worklist reads it');
  const cases = caseFile(file, io);
  for await (const _case of readCases(cases, {})) return { cases };
  throw new UsageError(`--cases ${JSON.stringify(file)}: it holds no case`);
}
