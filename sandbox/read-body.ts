import type { Context } from 'hono';
import * as z from 'zod';

/** The body of a request is invalid. */
export class BadBodyError extends Error {
  override readonly name = 'BadBodyError';
  readonly code = 'bad-body';
}

/**
 * Reads the body of a request as JSON. An empty one counts as an empty object.
 *
 * @throws {BadBodyError} when it is invalid
 */
export async function readBody<Schema extends z.ZodType>(
  { req }: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await req.text();
  let body: unknown;
  try {
    body = JSON.parse(text || '{}');
  } catch (cause) {
    throw new BadBodyError(`the body is not JSON: ${text.slice(0, 80)}`, { cause });
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BadBodyError(z.prettifyError(parsed.error), { cause: parsed.error });
}
