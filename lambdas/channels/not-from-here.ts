import { type ChannelKind, settingsOf } from './channel-settings.ts';

/** The error for a channel that the place from which it is sent lacks something for. */
export function notFromHere(kind: ChannelKind): Error {
  const { deployedOnly } = settingsOf(kind);
  return new Error(
    deployedOnly === null
      ? `Messages to ${kind} cannot be sent from here. Look what this channel needs in docs/channels.md.`
      : `The channel '${kind}' ${deployedOnly}`,
  );
}
