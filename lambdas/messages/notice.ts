import type { Rating } from '../events/changes.ts';
import { cutAtWord } from './clean-text.ts';

/**
 * What a person is to read, in words and before any channel's markup: each channel renders the same notice in its
 * own form. All texts are cleaned (`clean-text.ts`) and not yet escaped.
 */
export interface Notice {
  readonly headline: Headline;
  /** What the headline's colour may add to its words. */
  readonly tone: Tone;
  readonly blocks: readonly Block[];
  /** The first is the one that a chat message shows as a button. */
  readonly links: readonly Link[];
  readonly thread: Thread;
  /** Why the reader receives this, and ids by which an operator can find it. */
  readonly footer: readonly string[];
}

/** What a notice is about: a rating, a problem, the end of a problem, or none of these. */
export type Tone = Rating | 'plain' | 'problem' | 'recovery';

/** One sentence that can be read alone. `name` may be shortened where there is little space; the rest may not. */
export interface Headline {
  readonly start: string;
  readonly name: string;
  readonly end: string;
}

/** An address with the words that lead to it. */
export interface Link {
  readonly label: string;
  readonly address: string;
}

/** What a mail program or chat channel shows together: the messages about one panel. */
export interface Thread {
  /** Stable, of letters, digits, dots and hyphens. */
  readonly id: string;
  readonly title: string;
}

/** A part of a notice; each channel renders every kind of it. */
export type Block = ChangeBlock | PlaceBlock | BylineBlock | TextBlock | QuoteBlock | FactsBlock | GroupBlock;

/** The one change that a notice is about. */
interface ChangeBlock {
  readonly kind: 'change';
  readonly row: Row;
}

/** The panel: as one line (empty where the change names it already), and as facts for channels that have a form for them. */
export interface PlaceBlock {
  readonly kind: 'place';
  readonly text: string;
  readonly facts: readonly Fact[];
}

/** Who did it, and when. */
interface BylineBlock {
  readonly kind: 'byline';
  readonly text: string;
}

interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
}

/** What a curator or reviewer wrote. */
interface QuoteBlock {
  readonly kind: 'quote';
  readonly text: string;
}

interface FactsBlock {
  readonly kind: 'facts';
  readonly facts: readonly Fact[];
}

/** A labelled value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Changes of one sort, of one panel or of several. */
export interface GroupBlock {
  readonly kind: 'group';
  readonly title: string;
  readonly tone: Tone;
  /** How many changes; `1` is not shown. */
  readonly count: number;
  readonly parts: readonly Part[];
}

/** The rows of a group that belong under one heading. */
export interface Part {
  /** The panel, where the notice is about several. */
  readonly heading?: string;
  /** Behind the heading, such as versions. */
  readonly note?: string;
  readonly address?: string;
  readonly rows: readonly Row[];
}

/** One change: `BRCA1`, `amber → green`, `20 November`. */
export interface Row {
  readonly name: string;
  readonly words: string;
  /** Ratings that the words state; for colour beside the words. */
  readonly ratings?: readonly Rating[];
  readonly note?: string;
}

/** The headline as one sentence of at most `longest` UTF-16 units; its name is shortened first. */
export function headlineText(headline: Headline, longest = Number.POSITIVE_INFINITY): string {
  const { start, name, end } = headline;
  const whole = `${start}${name}${end}`;
  if (whole.length <= longest) return whole;
  const space = longest - start.length - end.length;
  return space >= SHORTEST_NAME ? `${start}${cutAtWord(name, space)}${end}` : cutAtWord(whole, longest);
}

/** Characters of a name that readers need to recognise it. */
const SHORTEST_NAME = 12;
