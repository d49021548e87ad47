import {
  type ChannelKind,
  channelKinds,
  type KindWith,
  settingsOf,
} from '../../lambdas/channels/channel-settings.ts';

type ChatWebhook = Exclude<KindWith<'webhook'>, 'webhook'>;

const isChatWebhook = (kind: ChannelKind): kind is ChatWebhook =>
  'webhook' in settingsOf(kind).fields && settingsOf(kind).takes === 'messages';

/** The chats that a message reaches by the address of a webhook: what holds for one holds for a new one. */
export const chatWebhooks: readonly ChatWebhook[] = channelKinds.filter(isChatWebhook);
