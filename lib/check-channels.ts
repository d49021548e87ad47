import type * as z from 'zod';
import { byReceiver, channelId, settingsOf } from '../lambdas/channels/channel-settings.ts';
import { channelsOf, type channelsSchema } from './message-subscription-settings.ts';
import { hasChannels, type Subscription } from './subscription-settings.ts';

interface Checked {
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  readonly operations: { readonly channels: z.output<typeof channelsSchema> };
  readonly messages: { readonly relay?: unknown };
}

/** Reports a channel that is given twice, SMTP without a mail server, and a webhook that would not get single events. */
export function checkChannels(
  { subscriptions, operations, messages }: Checked,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const all = [
    ...Object.entries(subscriptions).map(([name, each]) => ({
      path: ['subscriptions', name],
      channels: hasChannels(each) ? each.channels : [],
      digest: hasChannels(each) && each.when !== 'at once',
    })),
    { path: ['operations'], channels: operations.channels, digest: true },
  ];
  for (const { path, channels, digest } of all) {
    const seen = new Set<string>();
    for (const [place, channel] of channels.entries()) {
      const { kind } = channel;
      const at = [...path, 'channels', place, 'kind'];
      for (const id of byReceiver(channelsOf([channel])).map(channelId)) {
        if (seen.has(id))
          addIssue({ code: 'custom', path: at, message: `each channel once; ${id} is in the list already` });
        seen.add(id);
      }
      const { needs, takes } = settingsOf(kind);
      if (needs.relay && messages.relay === undefined) {
        addIssue({
          code: 'custom',
          path: at,
          message: 'messages.relay, the mail server, in the same stage',
        });
      }
      if (takes === 'events' && digest) {
        addIssue({
          code: 'custom',
          path: at,
          message: `a channel for people: a ${kind} gets single events, 'at once'`,
        });
      }
    }
  }
}
