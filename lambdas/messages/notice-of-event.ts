import type { PanelEvent } from '../events/schemas.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { eventWords } from './event-words.ts';
import type { Background, MessageContext } from './message-context.ts';
import type { Block, Fact, Notice } from './notice.ts';
import { pageLinks } from './page-address.ts';
import { panelPlace } from './panel-words.ts';
import { type Phrase, phrase, ratingPiece } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';
import { threadOf } from './thread.ts';

/** The message about one event. */
export function noticeOfEvent(event: PanelEvent, context: MessageContext): Notice {
  const { data } = event;
  const words = eventWords(event);
  const background = context.background?.(event.id);
  const quote = words.quote ?? (background?.comment ? commentText(background.comment) : null);
  const facts: readonly Fact[] = [...words.facts, ...beforeFact(background?.before, context)];
  const blocks: (Block | false)[] = [
    { kind: 'change', row: words.row },
    data.panel !== null && placeOf(event, context),
    lateText(event, context),
    { kind: 'byline', text: byline(event, words.verb, context) },
    quote !== null && { kind: 'quote', text: quote },
    facts.length > 0 && { kind: 'facts', facts },
  ];
  return {
    headline: words.headline,
    tone: words.tone,
    blocks: blocks.filter((block) => block !== false),
    links: pageLinks(event),
    thread: threadOf(data),
    footer: [...subscriptionLines(context), `Event ${event.id}`],
  };
}

/** The panel and its catalogue. A change of the panel itself names the panel already: then the catalogue alone. */
function placeOf(
  { data: { catalogue, panel, entity } }: PanelEvent,
  { namesCatalogue }: MessageContext,
): Block {
  const place = panelPlace(panel, namesCatalogue ? catalogue : undefined);
  if (entity !== null) return place;
  return { ...place, text: namesCatalogue ? phrase`Catalogue ${cleanLine(catalogue)}` : [] };
}

/** The comment without the catalogue's prefix, which names the rating that the message is about. */
const commentText = (comment: string): string =>
  cleanText(comment.replace(/^\s*Comment on list classification:\s*(?=\S)/, ''));

/** `Rated by Catherine Snowe, 21 November 2026, 09:14 (London)`. */
function byline({ time, data: { actor } }: PanelEvent, verb: string, { times }: MessageContext): Phrase {
  const name = cleanLine(actor ?? '');
  const who = name === '' ? verb : `${verb} by ${name}`;
  return time === undefined ? phrase`${who}` : phrase`${who}, ${times.moment(time)}`;
}

function lateText({ time, data: { late } }: PanelEvent, { times, now }: MessageContext): Block | false {
  if (!late || time === undefined) return false;
  const seen = times.day(time) === times.day(now) ? 'seen later that day' : 'seen today';
  const text = phrase`Made on ${times.shortDay(time)}, ${seen}: the catalogue showed it late, as it does with panels that were not public.`;
  return { kind: 'text', text };
}

function beforeFact(before: Background['before'], { times }: MessageContext): readonly Fact[] {
  if (!before) return [];
  const version = before.version ? `, version ${cleanLine(before.version)}` : '';
  return [
    {
      label: 'Before',
      value: phrase`${ratingPiece(before.rating)} since ${times.day(before.since)}${version}`,
    },
  ];
}
