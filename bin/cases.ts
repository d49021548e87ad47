import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { problemOf } from '../lambdas/catalogue/http/service-error.ts';
import { caseFormOf, caseFormOptions as declared } from '../lambdas/questions/impact/case-form.ts';
import { analysisIn, CasesError, isoDate, unknown } from '../lambdas/questions/impact/case-of.ts';
import type { AnalysedCase } from '../lambdas/questions/impact/impact.ts';
import {
  type CaseForm,
  type CaseInput,
  formatOf,
  type NamedCases,
  type OpenedCases,
  type RecognisedCases,
  recogniseCases,
} from '../lambdas/questions/impact/read-cases.ts';
import { type identityOptions, openIdentity, readIdentity } from './access.ts';
import { orUsage } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { asCommandOptions, type OptionValues, readOptions, textsOf } from './declare-command.ts';
import { logLines } from './terminal.ts';

/** The options that say how a file of cases is written. */
export const caseFormOptions = asCommandOptions(declared);

type FormValues = Partial<OptionValues<typeof caseFormOptions>>;

const caseFile = (file: string, form: CaseForm, io: Pick<Io, 'stdin'>): CaseInput => ({
  name: file === '-' ? 'standard input' : file,
  format: formatOf(file),
  form,
  open: file === '-' ? reopened(io.stdin) : () => createReadStream(file),
});

function reopened(stdin: Readable): () => Readable {
  const kept: Buffer[] = [];
  const whole = (async () => {
    for await (const chunk of stdin) kept.push(Buffer.from(chunk as Buffer));
  })();
  whole.catch(() => {});
  return () =>
    Readable.from(
      (async function* () {
        await whole;
        yield* kept;
      })(),
    );
}

async function openCaseFile(input: CaseInput, { stderr }: Pick<Io, 'stderr'>): Promise<RecognisedCases> {
  const cases = await recogniseCases(input);
  if (cases.sentence !== null) stderr.write(`${cases.sentence}\n`);
  return cases;
}

/**
 * The file of `--cases` of a page, which reads it for each view of the worklist and keeps nothing of it. It is read once now, so that
 * a wrong file is refused at the start.
 * @throws {UsageError | CasesError} when it cannot be read, or holds no case
 */
export async function pageCases(
  { cases: file, ...form }: FormValues & { readonly cases?: string | undefined },
  io: Pick<Io, 'stdin' | 'stderr' | 'clock'>,
): Promise<{ readonly cases?: CaseInput }> {
  if (file === undefined) {
    const [given] = Object.keys(textsOf(form, Object.keys(declared)));
    if (given !== undefined) throw new UsageError(`--${given} goes with --cases FILE`);
    return {};
  }
  if (file === '-')
    throw new UsageError('--cases -: expected a file, since each view of the worklist reads it');
  const cases = caseFile(file, caseFormOf(readOptions(declared, form, io)), io);
  const { read } = await openCaseFile(cases, io);
  for await (const _case of read()) return { cases };
  throw new UsageError(`--cases ${JSON.stringify(file)}: it holds no case`);
}

/**
 * The value that a JSON pointer names (RFC 6901), such as `/panels/0/id`; undefined where there is none. The empty pointer
 * names the whole value.
 */
function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((found, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    return (found as Readonly<Record<string, unknown>>)[key];
  }, value);
}

const isJsonPointer = (text: string): boolean => /^(?:\/(?:[^~]|~[01])*)?$/.test(text);

const pointer = z.string().refine(isJsonPointer, { error: 'a JSON pointer, such as /panels' });
const pointers = z.union([pointer.transform((one) => [one]), z.array(pointer)], {
  error: 'expected a JSON pointer, such as /panels, or a list of them',
});

const mappingSchema = z.strictObject({
  case: pointers.default(['/interpretation_request_id', '/caseId', '/case', '/id']),
  panels: pointers.default(['/panels']).describe('A list; `""` where the item is a panel itself.'),
  panel: pointers.default(['/panelId', '/id', '/panelName', '/name']).describe('Within a panel.'),
  version: pointers.default(['/panelVersion', '/version']).describe('Within a panel.'),
  date: pointers.default([]).describe('Within the item: the day of the analysis.'),
});

type CaseMapping = z.output<typeof mappingSchema>;

function readMapping(text: string | undefined): CaseMapping {
  if (text === undefined) return mappingSchema.parse({});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`--mapping: it is not JSON. Expected ${expected}`);
  }
  const read = mappingSchema.safeParse(value);
  if (read.success) return read.data;
  throw new UsageError(`--mapping: ${problemOf(value, read.error)}. Expected ${expected}`);
}

const expected =
  'an object such as {"case": "/referral/id", "panels": "/analysis/panels", "panel": "/panelId", "version": "/panelVersion", "date": "/analysis/day"}';

/** What an item states; nothing else of it is kept. */
interface MappedCase {
  /** Null where no pointer finds a name. */
  readonly case: string | null;
  readonly lines: readonly Omit<AnalysedCase, 'line' | 'case'>[];
}

/** What an item states. What it does not state, or not in its form, is said to be unknown, never left out. */
function mapCase(item: unknown, { panels, date, ...mapping }: CaseMapping): MappedCase {
  const name = textAt(item, mapping.case);
  const day = textAt(item, date);
  const found = panels.map((one) => valueAt(item, one)).find((each) => each !== undefined && each !== null);
  const list = Array.isArray(found) ? (found as readonly unknown[]) : found === undefined ? [] : [found];
  if (list.length === 0) return { case: name, lines: [unknown('the panel is missing')] };
  return { case: name, lines: list.map((panel) => lineOf(panel, day, mapping)) };
}

function lineOf(
  panel: unknown,
  date: string | null,
  { panel: names, version: versions }: Pick<CaseMapping, 'panel' | 'version'>,
): MappedCase['lines'][number] {
  const reference = textAt(panel, names);
  if (reference === null) return unknown('a panel has neither id nor name');
  const texts = { panel: reference, version: textAt(panel, versions) ?? '', date: date ?? '' };
  return analysisIn(texts, { format: isoDate, zone: null });
}

function textAt(value: unknown, all: readonly string[]): string | null {
  return all.map((one) => textOf(valueAt(value, one))).find((text) => text !== '') ?? null;
}

/** A number keeps the digits that it was sent with: the version 4.10 is not 4.1. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? JSON.stringify(value) : '';
}

type IdentityValues = OptionValues<typeof identityOptions>;

/**
 * Opens the file of cases, or reads those of the interpretation API.
 * @throws {UsageError} when the options are wrong
 * @throws {CasesError | InterpretationError} when the cases cannot be read
 */
export async function openCases(
  { file, form, interpretation: { url, path, mapping } = {} }: NamedCases,
  identity: IdentityValues,
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
  readonly identity: IdentityValues;
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
async function casesOfInterpretation({ baseUrl, path, mapping, identity }: Asked, io: Io) {
  const [{ readListing }, { createInterpretationApi }, { errorsOf }] = await Promise.all([
    import('../lambdas/catalogue/http/listing.ts'),
    import('../lambdas/catalogue/interpretation/application-client.ts'),
    import('../lambdas/catalogue/interpretation/family.ts'),
  ]);
  const log = logLines(io);
  const opened = await openIdentity(readIdentity(identity, io.env), {
    clock: io.clock,
    log,
    signal: io.signal,
  });
  try {
    const options = { baseUrl, access: opened.access, clock: io.clock, log };
    const api = orUsage(() => createInterpretationApi(options), '--from-interpretation');
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
      return {
        cases,
        /** False where the list changed while it was read: cases may be missing. */
        complete,
      };
    } finally {
      await api.close();
    }
  } finally {
    await opened.close();
  }
}
