import type { AnalysedCase } from '../../lambdas/questions/impact/analysed-case.ts';
import { type Io, UsageError } from '../command.ts';
import { type OptionValues, text } from '../declare-command.ts';
import type { identityOptions } from '../identity/identity-options.ts';
import { readInput } from '../input.ts';
import { caseFile, caseFormOptions, givenCaseForm, openCaseFile } from './case-file.ts';
import { readMapping } from './case-mapping.ts';
import { casesOfInterpretation } from './cases-of-interpretation.ts';

/** The options that say where cases are. */
export const caseOptions = {
  cases: text(
    'FILE',
    'CSV with headings (commas, semicolons or tabs), or one JSON object a line (.ndjson); "-" reads CSV from standard input',
  ),
  ...caseFormOptions,
  'from-interpretation': text(
    'URL',
    'reads the cases of the interpretation API at this address, with a token of the identity provider; each item of its list counts as a line. The catalogue of --catalogue is then asked without credentials',
  ),
  path: text('PATH', 'the list below that address (default: interpretation-request)'),
  mapping: text(
    'FILE',
    'where an item names its case and panels, in JSON pointers: {"case": "/referral/id", "panels": "/panels", "panel": "/panelId", "version": "/panelVersion", "date": "/day"}; each may be a list, of which the first that finds something counts. The shapes of the sandbox and {"caseId", "panels": [{"panelName" or "panelId", "panelVersion"}]} need no mapping',
  ),
};

type Values = OptionValues<typeof caseOptions & typeof identityOptions>;

/** Where cases are. */
export interface CaseSource {
  /** For messages. */
  readonly name: string;
  /** What a line of a case is: of a file, or an item of a list. */
  readonly line: 'line' | 'item';
  /** Which column is taken for what, where that is to be said. */
  readonly form: string | null;
  /** A sentence where cases may be missing. */
  readonly incomplete: string | null;
  /** The cases, line by line; it may be called again. */
  read(): AsyncIterable<AnalysedCase>;
}

/**
 * Opens the file of cases, or reads those of the interpretation API.
 * @throws {UsageError} when the options are wrong
 * @throws {CasesError | InterpretationError} when the cases cannot be read
 */
export async function openCases(values: Values, io: Io): Promise<CaseSource> {
  const { cases: file, 'from-interpretation': baseUrl, path, mapping } = values;
  if ((file === undefined) === (baseUrl === undefined)) {
    throw new UsageError('give one of --cases FILE and --from-interpretation URL');
  }
  if (baseUrl === undefined || baseUrl === '') {
    if (path !== undefined || mapping !== undefined)
      throw new UsageError('--path and --mapping go with --from-interpretation');
    const name = file ?? '';
    const { read, sentence } = await openCaseFile(caseFile(name, values, io), io);
    return {
      name: `--cases ${JSON.stringify(name)}`,
      line: 'line',
      form: sentence,
      incomplete: null,
      read,
    };
  }
  const [given] = givenCaseForm(values);
  if (given !== undefined) throw new UsageError(`${given} goes with --cases; give --mapping FILE`);
  const text = mapping === undefined ? undefined : (await readInput(mapping, io)).text;
  const parts = (path ?? 'interpretation-request').replace(/^\//, '').split('/');
  const asked = { baseUrl, path: parts, mapping: readMapping(text, mapping ?? ''), identity: values };
  const { cases, complete } = await casesOfInterpretation(asked, io);
  return {
    name: '--from-interpretation',
    line: 'item',
    form: null,
    incomplete: complete
      ? null
      : 'The list of cases changed while it was read, or states another number of cases: some may be missing. Run the command again.',
    async *read() {
      yield* cases;
    },
  };
}
