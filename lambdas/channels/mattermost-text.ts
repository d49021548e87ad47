/**
 * Text for Mattermost's Markdown: each character of markup gets a backslash. Mentions, names of emoji and addresses are
 * no markup that a backslash ends, so an invisible word joiner takes them apart.
 */
export function mattermostText(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+!~|>-]/g, '\\$&')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2')
    .replace(/[@<]/g, `$&${WORD_JOINER}`)
    .replace(/:(?=[\w+-]+:)/g, `:${WORD_JOINER}`)
    .replace(/(?<=https?|mailto|ftp):(?=\S)/gi, `${WORD_JOINER}:`)
    .replace(/\bwww\.(?=\S)/gi, `www${WORD_JOINER}.`);
}

/** An invisible character at which no line breaks. */
const WORD_JOINER = '\u2060';
