import type { KnownBlock, RichTextElement, RichTextSection } from '@slack/types';
import type { SlackMessage } from '../lambdas/channels/slack-message.ts';
import { ratingColours } from '../lambdas/messages/rating-colours.ts';

/**
 * A page that shows a message about as Slack does, for pictures: Slack has no renderer of its own to install.
 * @throws {TypeError} when the message has a block that this page cannot show
 */
export function slackPage({ blocks }: SlackMessage): string {
  return `<meta charset="utf-8"><style>
body{margin:0;padding:14px 16px;background:#fff;color:#1d1c1d;font:15px/1.47 Lato,"Segoe UI",Roboto,Arial,sans-serif}
.message{display:grid;grid-template-columns:36px 1fr;gap:10px}.icon{width:36px;height:36px;border-radius:6px;background:${ratingColours.light.green.accent}}
.name{font-weight:900}.app{margin:0 6px;padding:1px 3px;border-radius:2px;background:#ddd;color:#616061;font-size:10px}
.time,.context{color:#616061;font-size:12px}h3{margin:8px 0 4px;font-size:18px;line-height:1.3}p{margin:4px 0}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:6px 12px;margin:6px 0}.quote{margin:4px 0;padding-left:10px;border-left:4px solid #ddd}
.rich{margin:4px 0;white-space:pre-wrap}.button{display:inline-block;margin:6px 0;padding:4px 12px;border:1px solid #bbb;border-radius:4px;font-weight:700}a{color:#1264a3;text-decoration:none}
</style><div class="message"><div class="icon"></div><div><span class="name">Gene panels</span><span class="app">APP</span><span class="time">09:15</span>
${blocks.map(blockHtml).join('\n')}</div></div>`;
}

function blockHtml(block: KnownBlock): string {
  switch (block.type) {
    case 'header':
      return `<h3>${shown(block.text.text)}</h3>`;
    case 'section': {
      const fields = (block.fields ?? []).map(({ text }) => `<div>${shown(text)}</div>`);
      return block.text ? `<p>${shown(block.text.text)}</p>` : `<div class="fields">${fields.join('')}</div>`;
    }
    case 'context':
      return `<p class="context">${block.elements.map((each) => ('text' in each ? shown(each.text) : '')).join('<br>')}</p>`;
    case 'actions':
      return block.elements
        .map((each) => (each.type === 'button' ? `<span class="button">${shown(each.text.text)}</span>` : ''))
        .join('');
    case 'rich_text':
      return block.elements
        .map((each) => {
          const html = (each as RichTextSection).elements.map(elementHtml).join('');
          return `<div class="rich${each.type === 'rich_text_quote' ? ' quote' : ''}">${html}</div>`;
        })
        .join('');
    default:
      throw new TypeError(`The page for pictures has no form for a block of the type ${block.type}`);
  }
}

function elementHtml(element: RichTextElement): string {
  if (element.type === 'link') return `<a href="#"><b>${escaped(element.text ?? element.url)}</b></a>`;
  if (element.type !== 'text') throw new TypeError(`The page for pictures has no form for ${element.type}`);
  return element.style?.bold ? `<b>${escaped(element.text)}</b>` : escaped(element.text);
}

/** Text of a block is sent with entities in it. */
const shown = (text: string): string => text.replaceAll('\n', '<br>');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
