import { safeJson } from './text.ts';

/** The fields of a log line: facts, never credentials and never whole settings. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of the run-time code, with one line for each entry. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log that discards its entries. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Creates a log that writes one JSON object a line, with the field names of Lambda's own JSON logs. JSON escapes line breaks
 * in values, so that a hostile text cannot forge a line, and characters that steer a terminal. `now` gives milliseconds since the epoch.
 */
export function jsonLog(write: (line: string) => void, now: () => number): Log {
  const entry =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      write(
        safeJson(
          JSON.stringify(
            { timestamp: new Date(now()).toISOString(), level, message, ...fields },
            errorsAsFacts,
          ),
        ),
      );
  return { info: entry('INFO'), warn: entry('WARN'), error: entry('ERROR') };
}

/** The name, code, message and causes of an error. Its other properties may hold requests and credentials. */
function errorsAsFacts(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, cause } = value;
  const message = '$metadata' in value ? firstLine(value.message) : value.message;
  return { name, ...('code' in value ? { code: value.code } : {}), message, ...(cause ? { cause } : {}) };
}

/** The first line of a text. AWS explains a refused signature over many lines, with the session's token among them. */
export function firstLine(text: string): string {
  return text
    .split(/[\r\n]/, 1)
    .join('')
    .trim();
}

/** An error of AWS with the first line of its message alone, its name and its metadata: without credentials. */
export function withFirstLine(error: unknown): unknown {
  if (!(error instanceof Error) || firstLine(error.message) === error.message) return error;
  const metadata = '$metadata' in error ? { $metadata: error.$metadata } : {};
  return Object.assign(new Error(firstLine(error.message)), { name: error.name, ...metadata });
}
