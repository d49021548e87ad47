import type { Notice } from '../words/notice.ts';
import { type AdaptiveCard, adaptiveCard, CARD_BYTES } from './adaptive-card.ts';
import { chatByWebhook } from './post.ts';

/** What a Workflows webhook of Microsoft Teams takes: one Adaptive Card. */
export interface TeamsMessage {
  readonly type: 'message';
  readonly attachments: readonly [
    { readonly contentType: 'application/vnd.microsoft.card.adaptive'; readonly content: AdaptiveCard },
  ];
}

/** The message for Microsoft Teams, shortened until it fits. */
export const teamsMessage = (notice: Notice): TeamsMessage => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: adaptiveCard(notice, { version: '1.4', bytes: CARD_BYTES - ENVELOPE }),
    },
  ],
});

/** Of the message around the card. */
const ENVELOPE = 200;

/** Teams by a Workflows webhook. It takes four requests a second: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit */
export const teams = chatByWebhook({
  kind: 'teams',
  title: 'Microsoft Teams',
  setUp:
    'In Teams: *Workflows → Post to a channel when a webhook request is received* at the channel, copy the address into the secret.',
  pauseMs: 1_000,
  service: 'Teams',
  render: teamsMessage,
});
