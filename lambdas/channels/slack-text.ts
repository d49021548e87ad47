/**
 * Text for a Slack text object of the type `plain_text`: the three characters that Slack reads as control
 * characters. Text elements of `rich_text` blocks are never parsed and need no escaping.
 */
export function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
