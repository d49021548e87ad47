import { type ChannelKind, channelKinds, settingsOf } from '../lambdas/channels/channel-settings.ts';
import { channelType } from '../lambdas/channels/channels.ts';

const intro = `# Channels

This page is made from \`lambdas/channels\` by \`npm run docs\`; do not edit it. [Messages](guides/messages.md) shows how to set
channels up; [Adding a channel](adding-a-channel.md) shows how to write one.

Addresses and tokens are secrets: the settings name their entry in the secret of the channels, such as \`lab-slack\`. In
brackets: the pause between two messages, and whether the receiver drops [a message that has to be sent
again](guides/messages.md#what-at-least-once-means-here), or shows it with a line that says so.
`;

/** The page of the docs with what each channel needs and does. */
export function channelsPage(): string {
  const channels = channelKinds.map((kind) => {
    const { title, setUp, pauseMs, dropsRepeats } = channelType(kind);
    const place = settingsOf(kind).deployedOnly === null ? '' : ', on AWS only';
    const repeats = dropsRepeats ? 'dropped' : 'shown';
    return `- **${title}**, ${settingsExample(kind)}: ${setUp} (pause ${pauseMs / 1000} s, repeats ${repeats}${place})`;
  });
  return `${intro}\n${channels.join('\n')}\n`;
}

/** The channel in the settings, such as `{ kind: 'slack', webhook: 'lab-slack' }`. */
function settingsExample(kind: ChannelKind): string {
  const values: Readonly<Record<string, string>> = {
    to: kind === 'smtp' ? "['a@example.org']" : "'a@example.org'",
    webhook: `'lab-${kind}'`,
    bot: `'lab-${kind}'`,
    channel: "'C0123456789'",
    room: "'Y2lzY29zcGFyazovL3VzL1JPT00v…'",
  };
  const fields = Object.keys(settingsOf(kind).fields).map((name) => `, ${name}: ${values[name] ?? '…'}`);
  return `\`{ kind: '${kind}'${fields.join('')} }\``;
}
