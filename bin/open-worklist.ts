import { existsSync } from 'node:fs';
import { defaultWorklist, type WorklistSettings } from '../lambdas/questions/worklist/worklist-settings.ts';
import type { Io } from './command.ts';
import { openHistory } from './history-options.ts';

/** A worklist of this machine or of a deployed stage, and the settings that say what it has. */
export type OpenWorklist = Awaited<ReturnType<typeof openWorklist>>;

const DEFAULT_CONFIG = 'notifier.config.ts';

/**
 * Opens the worklist that the options name. Without a settings file, its settings are the defaults.
 * @throws {UsageError | SettingsError | LocalStateError | StateError | DeployedStageError} when it cannot be opened
 */
export async function openWorklist(
  { stage, config, ...place }: Omit<Parameters<typeof openHistory>[0], 'since' | 'until'>,
  io: Io,
) {
  const settings = await worklistSettingsIn(config, stage, io);
  // A folder needs no settings to be read.
  const opened = await openHistory({ ...place, stage, config: stage && config }, io);
  return { settings, place: { ...opened, worklist: await opened.worklist() }, close: opened.close };
}

/**
 * The settings of the worklist; the defaults without a settings file.
 * @throws {UsageError | SettingsError} when the settings cannot be read, or have no such stage
 */
export async function worklistSettingsIn(
  config: string | undefined,
  stage: string | undefined,
  io: Io,
): Promise<WorklistSettings> {
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) return defaultWorklist;
  const [{ readStage }, { worklistSettingsOf }] = await Promise.all([
    import('./settings-stage.ts'),
    import('../lib/worklist-settings.ts'),
  ]);
  const read = await readStage(config ?? DEFAULT_CONFIG, { stage, now: io.clock.now() });
  return worklistSettingsOf(read.stage.worklist);
}
