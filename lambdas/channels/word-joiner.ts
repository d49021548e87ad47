/** An invisible character at which no line breaks. It takes apart what a chat would make a mention, a link or an emoji of. */
export const WORD_JOINER = '\u2060';

/** The text with no address in it that a chat would make a link of. */
export const withoutAddresses = (text: string): string =>
  text
    .replace(/(?<=https?|mailto|ftp):(?=\S)/gi, `${WORD_JOINER}:`)
    .replace(/\bwww\.(?=\S)/gi, `www${WORD_JOINER}.`);
