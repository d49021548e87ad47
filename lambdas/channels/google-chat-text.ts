import { WORD_JOINER, withoutAddresses } from './word-joiner.ts';

/**
 * Text for a card of Google Chat, which reads a few HTML tags. An invisible word joiner takes mentions and addresses apart,
 * which are no markup.
 */
export const googleChatText = (text: string): string =>
  withoutAddresses(text.replaceAll('@', `@${WORD_JOINER}`))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
