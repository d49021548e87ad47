import type * as z from 'zod';

/**
 * Says in words why a schema refused a value: the field, what it holds and what was expected
 * (`panel_version is 3.10, expected text`). Objects are not shown, because they may hold anything.
 */
export function problemOf(value: unknown, error: z.ZodError): string {
  const [first, ...more] = error.issues;
  if (!first) return 'the item is invalid';
  const where = first.path.join('.') || 'the item';
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return `${where} is ${shown(at(value, first.path))}${expectation(first)}${others}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_format') return ', expected text such as 3.10';
  if (issue.code !== 'invalid_type') return `: ${issue.message}`;
  return `, expected ${kinds[issue.expected] ?? issue.expected}`;
}
