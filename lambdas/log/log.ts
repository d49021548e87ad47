/** Fields of a log line: facts, never credentials and never whole settings. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the run-time code says what it does; one line an entry. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Says nothing: for code whose caller does not want to hear. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * One JSON object a line, with the names that Lambda's own JSON logs have. Line breaks in values are escaped by JSON, so that
 * a hostile text cannot forge a line.
 */
export function jsonLog(write: (line: string) => void, now: () => number): Log {
  const entry =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      write(
        JSON.stringify(
          { timestamp: new Date(now()).toISOString(), level, message, ...fields },
          errorsAsFacts,
        ),
      );
  return { info: entry('INFO'), warn: entry('WARN'), error: entry('ERROR') };
}

/** An error's name, code, message and causes; its other properties may hold requests and credentials. */
function errorsAsFacts(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, cause } = value;
  return { name, ...('code' in value ? { code: value.code } : {}), message, ...(cause ? { cause } : {}) };
}
