import { WORD_JOINER, withoutAddresses } from './word-joiner.ts';

/**
 * Text for Mattermost's Markdown: each character of markup gets a backslash. Mentions, names of emoji and addresses are
 * no markup that a backslash ends, so an invisible word joiner takes them apart.
 */
export function mattermostText(text: string): string {
  const escaped = text
    .replace(/[\\`*_{}[\]()#+!~|>-]/g, '\\$&')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2')
    .replace(/[@<]/g, `$&${WORD_JOINER}`)
    .replace(/:(?=[\w+-]+:)/g, `:${WORD_JOINER}`);
  return withoutAddresses(escaped);
}
