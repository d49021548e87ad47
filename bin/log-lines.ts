import type { Log, LogFields } from '../lambdas/run/log.ts';
import { printable } from '../lambdas/run/printable.ts';
import type { Io } from './command.ts';

/** The log of a command: warnings and errors on standard error, a line each. */
export function logLines({ stderr }: Io): Log {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      const facts = Object.entries(fields).map(([key, value]) => `${key}=${factOf(value)}`);
      stderr.write(`${printable([`${level}: ${message}`, ...facts].join('  '))}\n`);
    };
  return { info: () => {}, warn: line('warning'), error: line('error') };
}

function factOf(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
