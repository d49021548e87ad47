import { joiners, unprintableBut } from './unprintable.ts';

const unseen = unprintableBut(joiners, { privateUse: true });

/**
 * A text from the catalogue on one line that cannot control a terminal. White space becomes a space. Control
 * characters, escape sequences and characters that change the direction of writing become U+FFFD.
 */
export function printable(text: string): string {
  return printablePart(text).trim();
}

/** A part of such a text: spaces at its ends stay. */
export function printablePart(text: string): string {
  return text.toWellFormed().replace(/\s+/gu, ' ').replace(unseen, '\ufffd');
}
