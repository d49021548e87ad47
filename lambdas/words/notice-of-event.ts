import type { PanelEvent } from '../events/schemas.ts';
import { beforeFact, knownPhrase, ratingComment } from './background-lines.ts';
import { listFile } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { eventWords } from './event-words.ts';
import { type MessageContext, type SignedOffHolding, subscriptionLines } from './message-context.ts';
import type { Block, Fact, Notice } from './notice.ts';
import { entityName, pageLinks, panelPlace, panelTitle, threadOf } from './panel-words.ts';
import { type Phrase, phrase } from './phrase.ts';
import {
  comparedSignOffs,
  isSignOff,
  signOffBlocks,
  signOffFileLines,
  signOffHeadline,
  signOffSentence,
} from './sign-off-words.ts';
import { ratingsOf, signedOffWords } from './signed-off-words.ts';

/** The message about one event. */
export function noticeOfEvent(event: PanelEvent, context: MessageContext): Notice {
  const { data } = event;
  const words = eventWords(event);
  const background = context.background?.(event.id);
  const quote = words.quote ?? (background?.comment ? ratingComment(background.comment) : null);
  const facts: readonly Fact[] = [...words.facts, ...beforeFact(background ?? {}, context)];
  const known = background ? knownPhrase(background, entityName(data.entity)) : [];
  const signOff = isSignOff(event) ? event : null;
  const compared = comparedSignOffs([event], context);
  const blocks: (Block | false)[] = [
    signOff === null
      ? { kind: 'change', row: words.row }
      : { kind: 'text', text: signOffSentence(signOff, context.now) },
    data.panel !== null && placeOf(event, context, background?.signedOff),
    lateText(event, context),
    { kind: 'byline', text: byline(event, words.verb, context) },
    quote !== null && { kind: 'quote', text: quote },
    known.length > 0 && { kind: 'text', text: known },
    facts.length > 0 && { kind: 'facts', facts },
    ...signOffBlocks(compared, context.now),
  ];
  return {
    headline: (signOff && signOffHeadline(signOff, compared[0]?.comparison, context.now)) ?? words.headline,
    tone: words.tone,
    blocks: blocks.filter((block) => block !== false),
    links: pageLinks(event),
    thread: threadOf(data),
    ...listFile(`${panelTitle(data.panel)} sign-off`, signOffFileLines(compared), { always: true }),
    footer: [...subscriptionLines(context), `Event ${event.id}`],
  };
}

/** The panel and its catalogue. A change of the panel itself names the panel already: then the catalogue alone. */
function placeOf(
  event: PanelEvent,
  { namesCatalogue }: MessageContext,
  holding: SignedOffHolding | undefined,
): Block {
  const { catalogue, panel, entity } = event.data;
  const place = panelPlace(panel, {
    ...(namesCatalogue && { catalogue }),
    // A sign-off says itself what it signs off.
    signedOff:
      panel === null || event.type === 'gene-panel.panel.signed-off.v1'
        ? ''
        : signedOffWords({ panel, change: ratingsOf(event), holding }),
  });
  if (entity !== null) return place;
  return { ...place, text: namesCatalogue ? phrase`Catalogue ${cleanLine(catalogue)}` : [] };
}

/** `Rated by Catherine Snowe, 21 November 2026, 09:14 (London)`. */
function byline({ time, data: { actor } }: PanelEvent, verb: string, { times }: MessageContext): Phrase {
  const name = cleanLine(actor ?? '');
  const who = name === '' ? verb : `${verb} by ${name}`;
  return time === undefined ? phrase`${who}` : phrase`${who}, ${times.moment(time)}`;
}

/** Why an event follows later ones. A correction says so itself. */
function lateText(
  { time, data: { late, corrects, change } }: PanelEvent,
  context: MessageContext,
): Block | false {
  if (!late || corrects !== undefined || time === undefined) return false;
  const { times, now } = context;
  const via = 'via' in change ? change.via : 'activity';
  if (via === 'listing' || via === 'snapshot') {
    const compared = via === 'listing' ? 'listings' : 'versions';
    const text = phrase`Found on ${times.shortDay(now)} by comparing ${compared}, after later changes were published: no row of the log states it.`;
    return { kind: 'text', text };
  }
  const seen = times.day(time) === times.day(now) ? 'seen later that day' : 'seen today';
  const text = phrase`Made on ${times.shortDay(time)}, ${seen}: the catalogue showed it late, as it does with panels that were not public.`;
  return { kind: 'text', text };
}
