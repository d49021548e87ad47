import { type App, type Environment, Tags } from 'aws-cdk-lib';
import { NotifierStack } from './notifier-stack.ts';
import { parseSettings, SettingsError } from './read-settings.ts';
import { type SettingsInput, type Stage, settingsSchema } from './settings.ts';

/**
 * One stack for each stage, named `<name>-<stage>`.
 *
 * @param settings as `defineSettings` or `readSettings` returns them
 * @throws {SettingsError} when they do not match their schema, or `only` names a stage that they do not have
 */
export function notifierStacks(
  app: App,
  settings: SettingsInput,
  { only }: { readonly only?: string } = {},
): readonly NotifierStack[] {
  const { name, stages } = parseSettings(settings, { schema: settingsSchema, file: 'The settings' });
  if (only !== undefined && !Object.hasOwn(stages, only)) {
    const known = Object.keys(stages).join(', ');
    throw new SettingsError(`There is no stage "${only}" in the settings; expected one of ${known}`);
  }
  return Object.entries(stages)
    .filter(([stageName]) => only === undefined || stageName === only)
    .map(([stageName, stage]) => {
      const prefix = `${name}-${stageName}`;
      const stack = new NotifierStack(app, prefix, {
        prefix,
        stage,
        description: `Typed events from the activity log of gene panel catalogues (${stageName})`,
        ...environmentOf(stage),
      });
      for (const [key, value] of Object.entries(stage.tags)) Tags.of(stack).add(key, value);
      return stack;
    });
}

/** Without account and region the stack goes where the deployer's credentials point. */
function environmentOf({ account, region }: Stage): { readonly env?: Environment } {
  return account === undefined || region === undefined ? {} : { env: { account, region } };
}
