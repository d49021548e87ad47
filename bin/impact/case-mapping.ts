import * as z from 'zod';
import { problemOf } from '../../lambdas/catalogue/http/problem.ts';
import type { AnalysedCase } from '../../lambdas/questions/impact/analysed-case.ts';
import { isoDate } from '../../lambdas/questions/impact/case-dates.ts';
import { analysisIn, unknown } from '../../lambdas/questions/impact/case-of.ts';
import { UsageError } from '../command.ts';

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

/** Whether a text is a JSON pointer. */
const isJsonPointer = (text: string): boolean => /^(?:\/(?:[^~]|~[01])*)?$/.test(text);

const pointer = z.string().refine(isJsonPointer, { error: 'a JSON pointer, such as /panels' });
/** One pointer, or several of which the first that finds something counts. */
const pointers = z.union([pointer.transform((one) => [one]), z.array(pointer)], {
  error: 'expected a JSON pointer, such as /panels, or a list of them',
});

/** Where an item of the interpretation API names its case and the panels of its analysis, in JSON pointers. */
const mappingSchema = z.strictObject({
  case: pointers.default(['/interpretation_request_id', '/caseId', '/case', '/id']),
  panels: pointers.default(['/panels']).describe('A list; `""` where the item is a panel itself.'),
  panel: pointers.default(['/panelId', '/id', '/panelName', '/name']).describe('Within a panel.'),
  version: pointers.default(['/panelVersion', '/version']).describe('Within a panel.'),
  date: pointers.default([]).describe('Within the item: the day of the analysis.'),
});

/** Where an item names its case and the panels of its analysis. */
export type CaseMapping = z.output<typeof mappingSchema>;

/**
 * Reads the text of a mapping; without one, the shapes that are known.
 * @throws {UsageError} naming the field that is wrong
 */
export function readMapping(text: string | undefined, name: string): CaseMapping {
  if (text === undefined) return mappingSchema.parse({});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`--mapping ${name}: it is not JSON. Expected ${expected}`);
  }
  const read = mappingSchema.safeParse(value);
  if (read.success) return read.data;
  throw new UsageError(`--mapping ${name}: ${problemOf(value, read.error)}. Expected ${expected}`);
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
export function mapCase(item: unknown, { panels, date, ...mapping }: CaseMapping): MappedCase {
  const name = textAt(item, mapping.case);
  const day = textAt(item, date);
  const found = panels.map((one) => valueAt(item, one)).find((each) => each !== undefined && each !== null);
  const list = Array.isArray(found) ? (found as readonly unknown[]) : found === undefined ? [] : [found];
  if (list.length === 0) return { case: name, lines: [unknown('it names no panel')] };
  return { case: name, lines: list.map((panel) => lineOf(panel, day, mapping)) };
}

function lineOf(
  panel: unknown,
  date: string | null,
  { panel: names, version: versions }: Pick<CaseMapping, 'panel' | 'version'>,
): MappedCase['lines'][number] {
  const reference = textAt(panel, names);
  if (reference === null) return unknown('one of its panels has no id and no name');
  const texts = { panel: reference, version: textAt(panel, versions) ?? '', date: date ?? '' };
  return analysisIn(texts, { format: isoDate, zone: null });
}

/** The first text or number that pointers find. */
function textAt(value: unknown, all: readonly string[]): string | null {
  return all.map((one) => textOf(valueAt(value, one))).find((text) => text !== '') ?? null;
}

/** A number keeps the digits that it was sent with: the version 4.10 is not 4.1. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? JSON.stringify(value) : '';
}
