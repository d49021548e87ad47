import type { GoogleChatMessage } from '../../lambdas/channels/google-chat.ts';
import { WORD_JOINER } from '../../lambdas/channels/message-lines.ts';
import { type Html, html } from '../frame/html.ts';

/** A message about as Google Chat shows it, from what is sent. */
export function googleChatPreview({ cardsV2: [{ card }] }: GoogleChatMessage): Html {
  const [{ widgets }] = card.sections;
  return html`<div class="chat google-chat">${widgets.map((widget) =>
    'textParagraph' in widget
      ? widget.textParagraph.text.split('<br>').map(lineView)
      : html`<p>${widget.buttonList.buttons.map(
          ({ text, onClick }) => html`${link(onClick.openLink.url, text)} `,
        )}</p>`,
  )}</div>`;
}

function lineView(line: string): Html {
  if (line.trim() === '') return html``;
  if (line.startsWith('<font')) return html`<p class="context">${plain(line)}</p>`;
  if (line.startsWith('<i>')) return html`<blockquote>${inline(line)}</blockquote>`;
  return html`<p>${inline(line)}</p>`;
}

/** Bold text and links; everything else is shown as text. */
function inline(line: string): Html {
  const parts = line.split(/(<b>[^<]*<\/b>|<a href="https:[^"]*">.*?<\/a>)/);
  return html`${parts.map((part) => {
    const [, address, label] = /^<a href="(https:[^"]*)">(.*)<\/a>$/.exec(part) ?? [];
    if (address !== undefined && label !== undefined) return link(characters(address), plain(label));
    return part.startsWith('<b>') ? html`<b>${plain(part)}</b>` : plain(part);
  })}`;
}

const link = (address: string, label: string): Html =>
  html`<a class="button" href="${address}" rel="noreferrer" target="_blank">${label}</a>`;

const plain = (text: string): string => characters(text.replace(/<[^>]*>/g, '')).replaceAll(WORD_JOINER, '');

const characters = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
