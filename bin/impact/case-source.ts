import type { AnalysedCase } from '../../lambdas/impact/analysed-case.ts';
import { readCases } from '../../lambdas/impact/read-cases.ts';
import { type Io, UsageError } from '../command.ts';
import type { identityOptions } from '../identity/identity-options.ts';
import { readInput } from '../input.ts';
import type { OptionValues } from '../option-values.ts';
import { caseFile, readColumns } from './case-file.ts';
import { readMapping } from './case-mapping.ts';
import { casesOfInterpretation } from './cases-of-interpretation.ts';

/** The options that say where cases are. */
export const caseOptions = {
  cases: { type: 'string' },
  columns: { type: 'string' },
  'from-interpretation': { type: 'string' },
  path: { type: 'string' },
  mapping: { type: 'string' },
} as const;

type Values = OptionValues<typeof caseOptions & typeof identityOptions>;

/** Where cases are. */
export interface CaseSource {
  /** For messages. */
  readonly name: string;
  /** What a line of a case is: of a file, or an item of a list. */
  readonly line: 'line' | 'item';
  /** Whether the cases can be read a second time. */
  readonly readsTwice: boolean;
  /** A sentence where cases may be missing. */
  readonly incomplete: string | null;
  /** The cases, line by line. */
  read(): AsyncIterable<AnalysedCase>;
}

/**
 * Opens the file of cases, or reads those of the interpretation API.
 * @throws {UsageError} when the options are wrong
 * @throws {CasesError | InterpretationError} when the list of cases cannot be read
 */
export async function openCases(values: Values, io: Io): Promise<CaseSource> {
  const { cases: file, 'from-interpretation': baseUrl, columns, path, mapping } = values;
  if ((file === undefined) === (baseUrl === undefined)) {
    throw new UsageError('give one of --cases FILE and --from-interpretation URL');
  }
  if (baseUrl === undefined || baseUrl === '') {
    if (path !== undefined || mapping !== undefined)
      throw new UsageError('--path and --mapping go with --from-interpretation');
    const named = readColumns(columns);
    const name = file ?? '';
    return {
      name: `--cases ${JSON.stringify(name)}`,
      line: 'line',
      readsTwice: name !== '-',
      incomplete: null,
      read: () => readCases(caseFile(name, io), named),
    };
  }
  if (columns !== undefined) throw new UsageError('--columns goes with --cases; give --mapping FILE');
  const text = mapping === undefined ? undefined : (await readInput(mapping, io)).text;
  const parts = (path ?? 'interpretation-request').replace(/^\//, '').split('/');
  const asked = { baseUrl, path: parts, mapping: readMapping(text, mapping ?? ''), identity: values };
  const { cases, complete } = await casesOfInterpretation(asked, io);
  return {
    name: '--from-interpretation',
    line: 'item',
    readsTwice: true,
    incomplete: complete
      ? null
      : 'The list of cases changed while it was read, or states another number of cases: some may be missing. Run the command again.',
    async *read() {
      yield* cases;
    },
  };
}
