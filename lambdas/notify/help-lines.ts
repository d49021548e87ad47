import { type ChannelKind, settingsOf } from '../channels/channel-settings.ts';
import { cleanLine } from '../words/clean-text.ts';
import type { ReaderHelp } from './subscription.ts';

/** The lines at the end of a message that say how to change or stop it, and where the page is; none without settings. */
export function helpLines({ contact, page }: ReaderHelp, kind: ChannelKind): readonly string[] {
  const { topic, relay } = settingsOf(kind).needs;
  const noun = topic === 'mail' || relay === true ? 'mails' : 'messages';
  return [
    ...(contact === undefined ? [] : [`Change or stop these ${noun}: ${cleanLine(contact, 200)}`]),
    ...(page === undefined ? [] : [`All changes: ${page}`]),
  ];
}
