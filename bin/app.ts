import { App } from 'aws-cdk-lib';
import { systemClock } from '../lambdas/run/clock.ts';
import { notifierStacks } from '../lib/gene-panel-notifier.ts';
import { readSettings, SettingsError } from '../lib/read-settings.ts';

/** The CDK app: `--context config=<file>` names another settings file, `--context stage=<name>` one stage. */
const app = new App();
const file: unknown = app.node.tryGetContext('config') ?? 'notifier.config.ts';
const stage: unknown = app.node.tryGetContext('stage');

try {
  const settings = await readSettings(String(file), { now: new Date(systemClock.now()) });
  notifierStacks(app, settings, stage === undefined ? {} : { only: String(stage) });
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  // The author of the settings needs the message, not the stack trace of this program.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
