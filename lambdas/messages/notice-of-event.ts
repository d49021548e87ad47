import type { PanelEvent } from '../events/schemas.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { eventWords } from './event-words.ts';
import type { Background, MessageContext } from './message-context.ts';
import type { Block, Fact, Link, Notice } from './notice.ts';
import { pageAddress } from './page-address.ts';
import { panelPlace } from './panel-words.ts';
import { ratingWord } from './rating-words.ts';
import { threadOf } from './thread.ts';

/** The message about one event. */
export function noticeOfEvent(event: PanelEvent, context: MessageContext): Notice {
  const { data } = event;
  const said = eventWords(event);
  const background = context.background?.(event.id);
  const quote = said.quote ?? (background?.comment ? commentText(background.comment) : null);
  const facts: readonly Fact[] = [...said.facts, ...beforeFact(background?.before, context)];
  const blocks: (Block | false)[] = [
    { kind: 'change', row: said.row },
    data.panel !== null && placeOf(event, context),
    lateText(event, context),
    { kind: 'byline', text: byline(event, said.verb, context) },
    quote !== null && { kind: 'quote', text: quote },
    facts.length > 0 && { kind: 'facts', facts },
  ];
  return {
    headline: said.headline,
    tone: said.tone,
    blocks: blocks.filter((block) => block !== false),
    links: linksOf(event),
    thread: threadOf(data),
    footer: [...(context.reason ? [context.reason] : []), `Event ${event.id}`],
  };
}

/** A change of a panel names it already; which catalogue it is of is said all the same. */
function placeOf(
  { data: { catalogue, panel, entity } }: PanelEvent,
  { namesCatalogue }: MessageContext,
): Block {
  const place = panelPlace(panel, namesCatalogue ? catalogue : undefined);
  if (entity !== null) return place;
  return { ...place, text: namesCatalogue ? `Catalogue ${cleanLine(catalogue)}` : '' };
}

/** The catalogue writes before a comment what it is on: here, the rating that the message is about. */
const commentText = (comment: string): string =>
  cleanText(comment.replace(/^\s*Comment on list classification:\s*(?=\S)/, ''));

/** `Rated by Catherine Snowe, 21 November 2026, 09:14 (London)`. */
function byline({ time, data: { actor } }: PanelEvent, verb: string, { times }: MessageContext): string {
  const name = cleanLine(actor ?? '');
  const who = name === '' ? verb : `${verb} by ${name}`;
  return time === undefined ? who : `${who}, ${times.moment(time)}`;
}

function lateText({ time, data: { late } }: PanelEvent, { times, now }: MessageContext): Block | false {
  if (!late || time === undefined) return false;
  const seen = times.day(time) === times.day(now) ? 'seen later that day' : 'seen today';
  const text = `Made on ${times.shortDay(time)}, ${seen}: the catalogue showed it late, as it does with panels that were not public.`;
  return { kind: 'text', text };
}

function beforeFact(before: Background['before'], { times }: MessageContext): readonly Fact[] {
  if (!before) return [];
  const version = before.version ? `, version ${cleanLine(before.version)}` : '';
  return [
    { label: 'Before', value: `${ratingWord(before.rating)} since ${times.day(before.since)}${version}` },
  ];
}

function linksOf(event: PanelEvent): readonly Link[] {
  const address = pageAddress(event);
  return address === null ? [] : [{ label: 'Panel', address }];
}
