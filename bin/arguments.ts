import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Clock } from '../lambdas/clock/clock.ts';
import { type Instant, instantOf, parseInstant } from '../lambdas/position/instant.ts';
import { UsageError } from './command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options and operands of a command line; a wrong one is a `UsageError`. */
export function readArguments<const Given extends Options>(args: readonly string[], options: Given) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A time such as `2026-01-31`, `2026-01-31T12:00:00Z` or with an offset. */
function readTime(option: string, text: string): Instant {
  const at = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (at !== null) return at;
  throw new UsageError(
    `${option} ${JSON.stringify(text)}: wanted a day or a time in ISO 8601 with Z or an offset, such as 2026-01-31 or 2026-01-31T12:00:00Z`,
  );
}

/** A time that is not to come. */
export function readPastTime(option: string, text: string, { now }: Clock): Instant {
  const at = readTime(option, text);
  if (at <= instantOf(now())) return at;
  throw new UsageError(`${option} ${JSON.stringify(text)}: that is in the future; is the year right?`);
}

/** A number between two bounds, as the option's unit. */
export function readNumber(option: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new UsageError(`${option} ${JSON.stringify(text)}: wanted a number from ${min} to ${max}`);
}

/** The one value that a command cannot do without. */
export function required(option: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${option} is missing`);
}
