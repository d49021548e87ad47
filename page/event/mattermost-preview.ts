import type { MattermostMessage } from '../../lambdas/channels/mattermost.ts';
import { type Html, html } from '../frame/html.ts';

/** A message about as Mattermost shows it, from what is sent. */
export function mattermostPreview({ attachments: [{ text, footer }] }: MattermostMessage): Html {
  return html`<div class="chat mattermost">${text.split('\n').map(lineView)}<p class="context">${footer}</p></div>`;
}

function lineView(line: string): Html {
  if (line.trim() === '') return html``;
  if (line.startsWith('#### ')) return html`<p class="title">${inline(line.slice(5))}</p>`;
  if (line.startsWith('> ')) return html`<blockquote>${inline(line.slice(2))}</blockquote>`;
  if (line.startsWith('- ')) return html`<p>• ${inline(line.slice(2))}</p>`;
  return html`<p>${inline(line)}</p>`;
}

/** Bold text and links; everything else is shown as it is, without the backslashes that keep it from being markup. */
function inline(text: string): Html {
  const parts = text.split(/(\*\*(?:\\.|[^*\\])+\*\*|\[(?:\\.|[^\]\\])*\]\(https:[^)\s]*\))/);
  return html`${parts.map((part) => {
    if (part.startsWith('**')) return html`<b>${plain(part.slice(2, -2))}</b>`;
    const [, label, address] = /^\[(.*)\]\((https:.*)\)$/s.exec(part) ?? [];
    return label === undefined || address === undefined
      ? plain(part)
      : html`<a class="button" href="${address}" rel="noreferrer" target="_blank">${plain(label)}</a>`;
  })}`;
}

const plain = (text: string): string => text.replace(/\\(.)/g, '$1').replaceAll('\u2060', '');
