/** What a CDK app imports as `gene-panel-notifier`: the construct, its stack, and the settings with their reader. */
export { EventConsumer, type EventConsumerProps } from './event-consumer.ts';
export {
  GenePanelNotifier,
  NotifierStack,
  type NotifierStackProps,
  notifierStacks,
} from './gene-panel-notifier.ts';
export { parseSettings, readSettings, SettingsError } from './read-settings.ts';
export {
  type DeploymentInput,
  defineSettings,
  type Settings,
  type SettingsInput,
} from './settings.ts';
