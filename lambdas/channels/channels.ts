import { teams, webex } from './adaptive-card.ts';
import { amazonQ } from './amazon-q.ts';
import { atom } from './atom.ts';
import type { ChannelType } from './channel.ts';
import type { ChannelKind } from './channel-settings.ts';
import { googleChat } from './google-chat.ts';
import { mattermost } from './mattermost.ts';
import { webhook } from './post.ts';
import { slack, slackBot } from './slack.ts';
import { email, smtp } from './smtp.ts';

type Channels = { readonly [Kind in ChannelKind]: ChannelType<Kind> };

/** Every kind of channel. A kind of `channelSettings` that is missing here does not compile. */
const channels: Channels = {
  email,
  smtp,
  slack,
  'slack-bot': slackBot,
  teams,
  mattermost,
  'google-chat': googleChat,
  webex,
  'amazon-q': amazonQ,
  webhook,
  atom,
};

/** The type of a channel, by its kind. */
export const channelType = <Kind extends ChannelKind>(kind: Kind): ChannelType<Kind> =>
  channels[kind] as ChannelType<Kind>;
