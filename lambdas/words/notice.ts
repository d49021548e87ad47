import type { Rating } from '../events/changes.ts';
import type { Phrase } from './phrase.ts';

/**
 * What a person is to read, in words and before any channel's markup: each channel renders the same notice in its
 * own form. All texts are cleaned (`clean-text.ts`) and not yet escaped.
 */
export interface Notice {
  /** One sentence that can be read alone. */
  readonly headline: Phrase;
  /** What the headline's colour may add to its words. */
  readonly tone: Tone;
  readonly blocks: readonly Block[];
  /** The first is the one that a chat message shows as a button. */
  readonly links: readonly Link[];
  readonly thread: Thread;
  /** The whole list of changes, where it is long or was asked for: mails carry it, other channels name what does not fit. */
  readonly file?: ListFile;
  /** Why the reader receives this, and ids by which an operator can find it. */
  readonly footer: readonly string[];
}

/** A list as a file that a spreadsheet opens. */
export interface ListFile {
  /** Such as `hearing-loss-changes.csv`. */
  readonly name: string;
  /** Lines below the heading. */
  readonly lines: number;
  /** CSV. */
  readonly content: string;
}

/** What a notice is about: a rating, a problem, the end of a problem, or none of these. */
export type Tone = Rating | 'plain' | 'problem' | 'recovery';

/** An address with the words that lead to it. */
export interface Link {
  /** Before the address, in plain text: `Panel`. */
  readonly label: string;
  /** On a button: `Open the panel`. */
  readonly button: string;
  readonly address: string;
}

/** What a mail program or chat channel shows together: the messages about one panel. */
export interface Thread {
  /** Stable, of letters, digits, dots and hyphens. */
  readonly id: string;
  readonly title: string;
}

/** A part of a notice; each channel renders every kind of it. */
export type Block =
  | { readonly kind: 'change'; readonly row: Row }
  | PlaceBlock
  | { readonly kind: 'byline' | 'text'; readonly text: Phrase }
  /** What a curator or reviewer wrote. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | GroupBlock;

/** The panel: as one line (empty where the change names it already), and as facts for channels that have a form for them. */
export interface PlaceBlock {
  readonly kind: 'place';
  readonly text: Phrase;
  /** A line of its own: what is signed off of the panel. It is among the facts too. */
  readonly below?: Phrase;
  readonly facts: readonly Fact[];
}

/** A labelled value. */
export interface Fact {
  readonly label: string;
  readonly value: Phrase;
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
  readonly heading?: Phrase;
  /** After the heading, such as versions. */
  readonly note?: Phrase;
  readonly rows: readonly Row[];
}

/** One change: `BRCA1`, `amber → green`, `20 November`. */
export interface Row {
  readonly name: string;
  readonly words: Phrase;
  readonly note?: Phrase;
  /** Lines below the change: what stands beside it, its comment, the rating before, ids. */
  readonly more?: readonly Phrase[];
  /** The catalogue's page for people about the entity. */
  readonly address?: string;
}
