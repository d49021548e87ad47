import { type ChannelKind, channelKinds, settingsOf } from '../lambdas/channels/channel-settings.ts';
import { channelType } from '../lambdas/channels/channels.ts';

const intro = `# Channels

This page is made from \`lambdas/channels\` by \`npm run docs\`; do not edit it. [Messages](guides/messages.md) shows how to set
channels up; [Adding a channel](adding-a-channel.md) shows how to write one.

Addresses and tokens are secrets: the settings name their entry in the secret of the channels, such as \`lab-slack\`. A message that
has to be sent [a second time](guides/messages.md#what-at-least-once-means-here) is dropped by the receiver, or shown with a line that
says so. A program gets each event; all other channels get messages.
`;

/** The page of the docs with what each channel needs and does. */
export function channelsPage(): string {
  const rows = channelKinds.map((kind) => {
    const { title, setUp, pauseMs, dropsRepeats } = channelType(kind);
    const { deployedOnly } = settingsOf(kind);
    const cells = [
      title,
      settingsExample(kind),
      setUp,
      deployedOnly === null ? 'yes' : 'no',
      `${pauseMs / 1000} s`,
      dropsRepeats ? 'dropped' : 'shown',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = ['channel', 'settings', 'what to do', 'from one machine', 'pause', 'a repeat'];
  return `${intro}\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${rows.join('\n')}\n`;
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
