import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Columns, type Field, fieldNames } from './case-columns.ts';
import type { CaseLine, CaseTexts } from './case-of.ts';

/** The lines of a stream with one JSON object a line; an object with several panels has a line for each. */
export async function* jsonLines(input: Readable, columns: Columns): AsyncIterable<CaseLine> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    const value = objectIn(text);
    if (value === null) yield { line, unknown: 'the line is not a JSON object' };
    else for (const texts of textsIn(value, columns)) yield { line, texts };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}

/** A line has one panel, or a list of them: `panels[].panelName|panelId|panelVersion`. */
function textsIn(value: JsonObject, columns: Columns): readonly CaseTexts[] {
  const read = (from: JsonObject, field: Field): string | undefined => {
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
  if (!Array.isArray(panels)) return [own];
  if (panels.length === 0) return [{ ...own, panel: '' }];
  return (panels as readonly unknown[]).map((panel) => {
    const item = (typeof panel === 'object' && panel !== null ? panel : {}) as JsonObject;
    const [reference, version] = [read(item, 'panel'), read(item, 'version')];
    return { ...own, ...(reference && { panel: reference }), ...(version && { version }) };
  });
}

const jsonNames: Readonly<Record<Field, readonly string[]>> = {
  case: ['case', 'caseId', 'id'],
  panel: ['panel', 'panelId', 'panelName', 'id', 'name'],
  version: ['version', 'panelVersion'],
  date: ['date', 'analysed', 'analysedOn'],
};
