import type { AdaptiveCard } from '../../lambdas/channels/adaptive-card.ts';
import type { SlackBlock, SlackMessage } from '../../lambdas/channels/slack.ts';
import { type Html, html } from '../frame/html.ts';

/** A message as Slack shows it, from the blocks that are sent. */
export function slackPreview({ blocks }: SlackMessage): Html {
  return html`<div class="chat slack">${blocks.map((block) => slackBlock(block as Block))}</div>`;
}

/** The parts of a Slack block that the preview shows. */
interface Block {
  readonly type: SlackBlock['type'];
  readonly text?: string | Text;
  readonly fields?: readonly Text[];
  readonly elements?: readonly Element[];
}

interface Text {
  readonly text: string;
}

interface Element extends Omit<Block, 'type' | 'elements'> {
  readonly type: string;
  readonly elements?: readonly Element[];
  readonly url?: string;
  readonly style?: { readonly bold?: boolean };
}

function slackBlock(block: Block): Html {
  const { type, fields, elements = [] } = block;
  switch (type) {
    case 'header':
      return html`<p class="title">${plain(block.text)}</p>`;
    case 'section':
      return fields
        ? html`<ul class="fields">${fields.map((field) => html`<li>${labelled(plain(field))}</li>`)}</ul>`
        : html`<p>${plain(block.text)}</p>`;
    case 'context':
      return html`<p class="context">${elements.map((element) => html`<span>${plain(element.text)}</span> `)}</p>`;
    case 'rich_text':
      return html`${elements.map((part) => (part.type === 'rich_text_quote' ? html`<blockquote>${inline(part)}</blockquote>` : html`<p>${inline(part)}</p>`))}`;
    case 'actions':
      return html`<p>${elements.map(({ text, url }) => html`<a class="button" href="${url}" rel="noreferrer" target="_blank">${plain(text)}</a>`)}</p>`;
  }
}

function inline({ elements = [] }: Element): Html {
  return html`${elements.map(({ text, style }) => (style?.bold ? html`<b>${asIs(text)}</b>` : asIs(text)))}`;
}

/** Rich text is not escaped. */
const asIs = (text: string | Text | undefined): string =>
  typeof text === 'string' ? text : (text?.text ?? '');

/** In other texts, three characters are escaped. */
const plain = (text: string | Text | undefined): string =>
  (typeof text === 'string' ? text : (text?.text ?? ''))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

function labelled(text: string): Html {
  const [label = '', ...value] = text.split('\n');
  return value.length === 0 ? html`${label}` : html`<span>${label}</span> ${value.join(' ')}`;
}

/** A card as Teams shows it, from what is sent. */
export function cardPreview({ body, actions = [] }: AdaptiveCard): Html {
  return html`<div class="chat teams">${body.map(cardElement)}<p>${actions.map(
    ({ title, url }) => html`<a class="button" href="${url}" rel="noreferrer" target="_blank">${title}</a>`,
  )}</p></div>`;
}

type CardElement = AdaptiveCard['body'][number];

function cardElement(element: CardElement): Html {
  switch (element.type) {
    case 'RichTextBlock':
      return html`<p>${element.inlines.map(
        ({ text, weight, size, isSubtle }) =>
          html`<span class="${[weight && 'bold', size?.toLowerCase(), isSubtle && 'subtle'].filter(Boolean).join(' ')}">${text}</span>`,
      )}</p>`;
    case 'FactSet':
      return html`<dl class="known">${element.facts.map(({ title, value }) => html`<div><dt>${unescaped(title)}</dt><dd>${unescaped(value)}</dd></div>`)}</dl>`;
    case 'Container':
      return html`<blockquote>${element.items.map(cardElement)}</blockquote>`;
  }
}

/** The facts of a card are Markdown: an escape is not shown. */
const unescaped = (text: string): string =>
  text.replace(/\\([\\`*_[\]<>~|\-+#=])/g, '$1').replaceAll('\u2060', '');
