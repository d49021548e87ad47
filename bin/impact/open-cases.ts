import { hash } from 'node:crypto';
import * as z from 'zod';
import { readListing } from '../../lambdas/catalogue/http/listing.ts';
import { createInterpretationApi } from '../../lambdas/catalogue/interpretation/application-client.ts';
import { errorsOf } from '../../lambdas/catalogue/interpretation/errors.ts';
import type { AnalysedCase } from '../../lambdas/questions/impact/analysis.ts';
import { CasesError } from '../../lambdas/questions/impact/cases-error.ts';
import {
  type NamedCases,
  type OpenedCases,
  recogniseCases,
} from '../../lambdas/questions/impact/read-cases.ts';
import { readAddress } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { type identityOptions, readIdentity } from '../identity/identity-options.ts';
import { openIdentity } from '../identity/open-identity.ts';
import { logLines } from '../log-lines.ts';
import { type CaseMapping, caseFile, mapCase, readMapping } from './case-file.ts';

type Identity = { readonly [Name in keyof typeof identityOptions]?: string | undefined };

/**
 * Opens the file of cases, or reads those of the interpretation API.
 * @throws {UsageError} when the options are wrong
 * @throws {CasesError | InterpretationError} when the cases cannot be read
 */
export async function openCases(
  { file, form, interpretation: { url, path, mapping } = {} }: NamedCases,
  identity: Identity,
  io: Io,
): Promise<OpenedCases> {
  if (url === undefined) {
    if (path !== undefined || mapping !== undefined)
      throw new UsageError('--path and --mapping go with --from-interpretation');
    const cases = await recogniseCases(caseFile(file ?? '', form, io));
    return { ...cases, line: 'line', incomplete: null };
  }
  const parts = (path ?? 'interpretation-request').replace(/^\//, '').split('/');
  const asked = { baseUrl: url, path: parts, mapping: readMapping(mapping), identity };
  const { cases, complete } = await casesOfInterpretation(asked, io);
  return {
    line: 'item',
    sentence: null,
    incomplete: complete
      ? null
      : 'The list of cases changed while it was read, or states another number of cases: some may be missing. Run the command again.',
    async *read() {
      yield* cases;
    },
  };
}

interface Asked {
  readonly baseUrl: string;
  /** Below the address, such as `interpretation-request`. */
  readonly path: readonly string[];
  readonly mapping: CaseMapping;
  readonly identity: { readonly [Name in keyof typeof identityOptions]?: string | undefined };
}

/** The cases of the interpretation API. */
interface ListedCases {
  readonly cases: readonly AnalysedCase[];
  /** False where the list changed while it was read: cases may be missing. */
  readonly complete: boolean;
}

/** More pages than any laboratory has. */
const MOST_PAGES = 20_000;
const application = 'interpretation API';

/**
 * Reads the list of cases, each item as far as the mapping names it: nothing else of a case is kept. A line of a case is an
 * item of the list, counted from 1.
 *
 * @throws {UsageError} when an option of the identity provider is missing
 * @throws {InterpretationError} when the list cannot be read
 * @throws {CasesError} when an item names no case; the message names its place
 */
async function casesOfInterpretation(
  { baseUrl, path, mapping, identity }: Asked,
  io: Io,
): Promise<ListedCases> {
  const log = logLines(io);
  const opened = openIdentity(readIdentity(identity, io.env), { clock: io.clock, log, signal: io.signal });
  try {
    const options = { baseUrl, access: opened.access, clock: io.clock, log };
    const api = readAddress('--from-interpretation', () => createInterpretationApi(options));
    try {
      const { items, complete } = await readListing({
        name: path.join('/'),
        readPage: (page) => api.getPage(path, page),
        // Of an item, its digest identifies it; only what the mapping names is kept.
        schema: z.unknown().transform((item) => ({
          digest: hash('sha256', JSON.stringify(item)),
          mapped: mapCase(item, mapping),
        })),
        identify: ({ digest }) => digest,
        repeats: true,
        pages: MOST_PAGES,
        log,
        fail: (condition, seen) =>
          new (errorsOf(application).error)({ condition, action: 'Reading the list of cases', seen }),
      });
      const cases = items.flatMap(({ mapped: { case: name, lines } }, index): readonly AnalysedCase[] => {
        if (name !== null) return lines.map((line) => ({ line: index + 1, case: name, ...line }));
        throw new CasesError(
          `Reading the cases, item ${index + 1} of ${path.join('/')}: no case is named at ${mapping.case.join(' or ')}. Name the place in --mapping: {"case": "/…"}.`,
        );
      });
      return { cases, complete };
    } finally {
      await api.close();
    }
  } finally {
    await opened.close();
  }
}
