import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { AnalysedCase } from './analysed-case.ts';
import { type Columns, type Field, fieldNames } from './case-columns.ts';
import { type CaseTexts, caseOf } from './case-of.ts';
import { CasesError } from './cases-error.ts';

/**
 * The cases of a stream with one JSON object a line.
 * @throws {CasesError} naming the line that cannot be read
 */
export async function* jsonCases(input: Readable, columns: Columns): AsyncIterable<AnalysedCase> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() !== '') yield* casesIn(jsonOf(line, number), columns, number);
  }
}

function jsonOf(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line.replace(/^\ufeff/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // The parser quotes what it refuses, and that may be of a case.
  }
  throw new CasesError(`Reading the cases, line ${number}: it is not a JSON object.`);
}

/** A line has one panel, or a list of them: `panels[].panelName|panelId|panelVersion`. */
function* casesIn(
  value: Readonly<Record<string, unknown>>,
  columns: Columns,
  line: number,
): Iterable<AnalysedCase> {
  const read = (from: Readonly<Record<string, unknown>>, field: Field): string | undefined => {
    const names = columns[field] === undefined ? jsonNames[field] : [columns[field]];
    const found = names.map((name) => from[name]).find((each) => each !== undefined && each !== null);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
  };
  const own = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const text = read(value, field);
      return text === undefined ? [] : [[field, text]];
    }),
  ) as CaseTexts;
  const { panels } = value;
  if (!Array.isArray(panels)) {
    yield caseOf(own, line);
    return;
  }
  if (panels.length === 0) {
    throw new CasesError(`Reading the cases, line ${line}: the list of its panels is empty.`);
  }
  for (const panel of panels as readonly unknown[]) {
    const item = (typeof panel === 'object' && panel !== null ? panel : {}) as Readonly<
      Record<string, unknown>
    >;
    const [reference, version] = [read(item, 'panel'), read(item, 'version')];
    yield caseOf({ ...own, ...(reference && { panel: reference }), ...(version && { version }) }, line);
  }
}

const jsonNames: Readonly<Record<Field, readonly string[]>> = {
  case: ['case', 'caseId', 'id'],
  panel: ['panel', 'panelId', 'panelName', 'id', 'name'],
  version: ['version', 'panelVersion'],
  date: ['date', 'analysed', 'analysedOn'],
};
