import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as z from 'zod';
import { nearest } from '../lambdas/filters/nearest.ts';
import { keysListedIn } from './setting-kinds.ts';
import { type Settings, settingsSchemaAt } from './settings.ts';

/** The settings are invalid. The message names each key, the value seen and the value expected. */
export class SettingsError extends Error {
  readonly code = 'SETTINGS_INVALID';
  override readonly name = 'SettingsError';
}

/**
 * Reads a settings file: a `.json` document, or a module (`.ts`, `.mts`, `.js`, `.mjs`) that exports `settings`.
 *
 * @param file path, relative to the working directory
 * @param now the latest time that a catalogue's `from` may have
 * @throws {SettingsError} when the file is missing, has another extension, cannot be read or does not match the schema
 */
export async function readSettings(file: string, { now }: { readonly now: Date }): Promise<Settings> {
  return parseSettings(await load(file), { schema: settingsSchemaAt(now), file });
}

/**
 * Checks a value against a settings schema and fills in the defaults.
 *
 * @throws {SettingsError} with one line for each key that does not match
 */
export function parseSettings<Schema extends z.ZodType>(
  value: unknown,
  { schema, file }: { readonly schema: Schema; readonly file: string },
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.flatMap((issue) => problemsOf(issue, value));
  throw new SettingsError(
    `${file} cannot be used as settings:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}

const modules = ['.ts', '.mts', '.js', '.mjs'];

async function load(file: string): Promise<unknown> {
  const path = resolve(file);
  if (![...modules, '.json'].includes(extname(path))) {
    throw new SettingsError(
      `${path} cannot be a settings file; expected a .json document, or a module (.ts, .mts, .js or .mjs) that exports 'settings'`,
    );
  }
  const wanted =
    'give a settings file (--config FILE; to the CDK --context config=FILE), or write notifier.config.ts';
  try {
    // Some editors on Windows begin a file with a byte order mark, which is not JSON.
    if (path.endsWith('.json')) return JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
    const module: Record<string, unknown> = await import(pathToFileURL(path).href);
    if ('settings' in module) return module.settings;
  } catch (cause) {
    const reason = existsSync(path) ? reasonOf(cause) : 'there is no such file';
    throw new SettingsError(`Could not read the settings file ${path}: ${reason}; ${wanted}`, { cause });
  }
  throw new SettingsError(
    `${path} exports no 'settings'; expected: export const settings = defineSettings({ … })`,
  );
}

/** The message of an error, with the line of a syntax error, which Node states in front of the stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, file, line] = /^(file:\S+):(\d+)\n/.exec(error.stack ?? '') ?? [];
  return file && line ? `${error.message} (line ${line} of ${basename(file)})` : error.message;
}

function problemsOf(issue: z.core.$ZodIssue, root: unknown): readonly string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = nearest(key, keysListedIn(issue.message));
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      return `${keyOf([...issue.path, key])}: unknown key, expected ${issue.message}${hint}`;
    });
  }
  if (issue.code === 'invalid_key') {
    const wanted = issue.issues.map(({ message }) => message).join(' and ');
    return [`${keyOf(issue.path)}: unusable name, expected ${wanted}`];
  }
  return [`${keyOf(issue.path)}: saw ${shown(issue.path, root)}, expected ${issue.message}`];
}

const keyOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || '(the whole file)';

/** The value as seen, cut short. A value under a key for secrets is hidden: it could be a pasted secret. */
function shown(path: readonly PropertyKey[], root: unknown): string {
  if (path.some((part) => /secret|token|password/i.test(String(part)))) return '(a value not shown here)';
  const value = path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
    root,
  );
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}
