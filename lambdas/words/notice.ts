import type { Rating } from '../events/changes.ts';
import { type Phrase, phrase, phraseText } from './phrase.ts';

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

const withFirst = (notice: Notice, text: Phrase): Notice => ({
  ...notice,
  blocks: [{ kind: 'text', text }, ...notice.blocks],
});

/** The notice of a message that is sent some time after it was begun, with the line "as known on …" after the change itself. */
export function asKnown(notice: Notice, moment: string, why: 'late' | 'asked for'): Notice {
  const [first, ...others] = notice.blocks;
  const text =
    why === 'late'
      ? phrase`As known on ${moment}: this message could not be sent before now.`
      : phrase`As known on ${moment}: this message was sent then already.`;
  const line: Block = { kind: 'text', text };
  return first?.kind === 'change' ? { ...notice, blocks: [first, line, ...others] } : withFirst(notice, text);
}

/** The notice with a first line that says why it holds the changes of so many panels. */
export const asBurst = (notice: Notice, panels: number): Notice => ({
  ...withFirst(
    notice,
    phrase`${String(panels)} panels changed at once, far more than ever before. This message replaces ${String(panels)} single ones. It may come from a bulk upload or a restored database: look at the catalogue before you act on it.`,
  ),
  headline: phrase`Unusually many changes: ${notice.headline}`,
});

/** The notice with a first line that says why it holds the changes of several panels. */
export const asBundle = (notice: Notice, panels: number): Notice =>
  withFirst(notice, phrase`Changes of ${String(panels)} panels within a few minutes share this message.`);

/** The notice with a first line that says that its catalogue is made up, so that no reader acts on it. */
export const asMadeUp = (notice: Notice): Notice => ({
  ...withFirst(
    notice,
    phrase`This comes from the sandbox, a made-up catalogue. No gene and no panel changed.`,
  ),
  headline: phrase`Made up: ${notice.headline}`,
});

const repeats = {
  'asked for': 'Sent again because somebody asked for it.',
  'cut off': 'Sent again: an earlier attempt was cut off, so you may have this message already.',
  restored:
    'Perhaps sent again: the notifier was restored from a backup, so you may have this message already.',
} as const;

/** The notice with a last line that says why the reader may have it already. */
export const sentAgain = (notice: Notice, why: keyof typeof repeats): Notice => ({
  ...notice,
  footer: [...notice.footer, repeats[why]],
});

/** What a row has besides its name and words, where there is any. */
export const rowExtras = (
  more: readonly Phrase[],
  address: string | null,
): Pick<Row, 'more' | 'address'> => ({
  ...(more.length > 0 && { more }),
  ...(address !== null && { address }),
});

/** The notice without the lines below its rows and the addresses of their entities, for a channel that has no space for them. */
export const compactNotice = (notice: Notice): Notice => ({
  ...notice,
  blocks: notice.blocks.map((block) =>
    block.kind !== 'group'
      ? block
      : {
          ...block,
          parts: block.parts.map((part) => ({
            ...part,
            rows: part.rows.map(({ more: _more, address: _address, ...row }) => row),
          })),
        },
  ),
});

/**
 * The rows that a list has no space for, as one text: `and 288 more: amber → green: ABCA4, AIPL1 · red → green: BEST1`. Where
 * even the names have no space, it ends in how many are left.
 * @param longest in UTF-16 units
 */
export function restOfRows(rows: readonly Row[], longest: number): string {
  const start = `and ${rows.length} more`;
  const groups = Map.groupBy(rows, ({ words }) => phraseText(words));
  let text = '';
  let named = 0;
  for (const [words, own] of groups) {
    for (const [place, { name }] of own.entries()) {
      const separator =
        place > 0 ? ', ' : `${text === '' ? '' : ' · '}${groups.size > 1 || named === 0 ? `${words}: ` : ''}`;
      if (name === '' || start.length + text.length + separator.length + name.length + LEFT > longest) {
        const left = rows.length - named;
        return named === 0 ? start : `${start}: ${text} and ${left} others`;
      }
      text += separator + name;
      named += 1;
    }
  }
  return text === '' ? start : `${start}: ${text}`;
}

/** Space for the number of those that are left. */
const LEFT = 24;
