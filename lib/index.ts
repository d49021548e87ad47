/** What a CDK app imports as `gene-panel-notifier`: the construct, its stack, and the settings with their reader. */
export { EventConsumer, type EventConsumerProps } from './event-consumer.ts';
export { GenePanelNotifier } from './gene-panel-notifier.ts';
export { NotifierStack, type NotifierStackProps, notifierStacks } from './notifier-stacks.ts';
export { parseSettings, readSettings, SettingsError } from './read-settings.ts';
export {
  type DeploymentInput,
  defineSettings,
  type Settings,
  type SettingsInput,
} from './settings.ts';
