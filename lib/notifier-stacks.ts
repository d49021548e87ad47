import { type App, type Environment, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { GenePanelNotifier } from './gene-panel-notifier.ts';
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

export interface NotifierStackProps extends StackProps {
  /** Begins the names of what the stack makes. */
  readonly prefix: string;
  readonly stage: Stage;
}

/** One stage of the settings file as a stack. Its outputs are the ARNs and names that subscribers and operators need. */
export class NotifierStack extends Stack {
  /** What the stack holds. */
  readonly notifier: GenePanelNotifier;

  constructor(scope: Construct, id: string, { prefix, stage, ...props }: NotifierStackProps) {
    super(scope, id, props);
    const { account: _account, region: _region, tags: _tags, local: _local, ...deployment } = stage;
    this.notifier = new GenePanelNotifier(this, 'Notifier', { ...deployment, prefix });
  }
}
