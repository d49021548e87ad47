import { type ChannelType, jsonFile } from './channel.ts';
import { postToWebhook } from './post-to-webhook.ts';
import { slackMessage } from './slack-message.ts';

/** Slack by an incoming webhook. It takes one message a second: https://docs.slack.dev/apis/web-api/rate-limits */
export const slack: ChannelType<'slack'> = {
  kind: 'slack',
  title: 'Slack',
  setUp:
    'In Slack: *Apps → Incoming Webhooks → Add to Slack*, choose the channel, copy the address into the secret.',
  pauseMs: 1_100,
  dropsRepeats: false,
  afterTrial: '',
  preview: ({ notice }) => [jsonFile(slackMessage(notice))],
  send: ({ notice }, sending) =>
    postToWebhook(sending, {
      service: 'Slack webhook',
      body: () => ({ json: JSON.stringify(slackMessage(notice)) }),
    }),
};
