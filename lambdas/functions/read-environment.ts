import type * as z from 'zod';

/** An environment variable of the function is missing or wrong. */
class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly code = 'SETTINGS_WRONG';
}

/**
 * The function's settings, read from its environment variables.
 *
 * @throws {EnvironmentError} when a variable is missing or wrong; the message names each one and what it must hold
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  // Compiled code of a schema pays where it reads more than one value.
  const settings = schema.safeParse(environment, { jitless: true });
  if (settings.success) return settings.data;
  const wrong = settings.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new EnvironmentError(
    `Reading the function's environment variables: ${wrong.join('; ')}. Deploy the stack again: it sets them all.`,
  );
}
