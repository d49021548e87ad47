import { type Input, InputError } from './input.ts';

/**
 * The items in a file: of a list page, of an array of items or of pages, or of one of these a line. An item that
 * stands alone has one of the `fields`.
 */
export function rowsIn({ name, text }: Input, fields: readonly string[]): readonly unknown[] {
  const body = text.startsWith('﻿') ? text.slice(1) : text;
  if (body.trim() === '') throw new InputError(`Reading ${name}: it is empty; expected JSON or NDJSON.`);
  const whole = parse(body);
  if ('value' in whole) return itemsOf(whole.value, { where: name, fields });
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const parsed = parse(line);
    if ('value' in parsed) return itemsOf(parsed.value, { where: `${name}, line ${index + 1}`, fields });
    const html = /^\s*</.test(body) ? ' It looks like HTML, as a server sends it in place of an answer.' : '';
    throw new InputError(
      `Reading ${name}: ${lines.length === 1 ? 'it' : `line ${index + 1}`} is not JSON (${parsed.problem}).${html} Expected a list page of the catalogue, an array, or one of these a line.`,
    );
  });
}

interface Expected {
  readonly where: string;
  readonly fields: readonly string[];
}

function itemsOf(value: unknown, { where, fields }: Expected): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => (isPage(item) ? item.results : [item]));
  if (isPage(value)) return value.results;
  if (typeof value === 'object' && value !== null && fields.some((field) => field in value)) return [value];
  throw new InputError(
    `Reading ${where}: saw ${JSON.stringify(value).slice(0, 80)}; expected a list page of the catalogue (with a list of results), an array, or an item with ${fields.slice(0, 3).join(', ')} ….`,
  );
}

function isPage(value: unknown): value is { readonly results: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results);
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 120) : String(error) };
  }
}
