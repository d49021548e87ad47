import { readSettings } from '../lib/read-settings.ts';
import type { Stage } from '../lib/settings.ts';
import { UsageError } from './command.ts';

/** One stage of a settings file. */
export interface SettingsStage {
  /** Path of the file, as it was given. */
  readonly file: string;
  readonly name: string;
  /** Begins the names of what the stage deploys. */
  readonly prefix: string;
  readonly stage: Stage;
}

/**
 * Reads a settings file and returns the stage asked for, else the first.
 * @throws {SettingsError} when the file cannot be used
 * @throws {UsageError} when it has no such stage
 */
export async function readStage(
  file: string,
  { stage: wanted, now }: { readonly stage?: string | undefined; readonly now: number },
): Promise<SettingsStage> {
  const { name: prefix, stages } = await readSettings(file, { now: new Date(now) });
  const name = wanted ?? Object.keys(stages)[0] ?? '';
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage) return { file, name, prefix: `${prefix}-${name}`, stage };
  throw new UsageError(
    `--stage ${JSON.stringify(name)}: ${file} has no such stage; it has ${Object.keys(stages).join(', ')}`,
  );
}
