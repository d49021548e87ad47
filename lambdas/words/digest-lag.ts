import type { Entity, EventPanel } from '../events/schemas.ts';
import { type ChangeLine, placeColumns, statusWord, versionCell } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { counted } from './counted.ts';
import type { MessageContext, RatingAt } from './message-context.ts';
import type { Block, Part, Row, Tone } from './notice.ts';
import { dayWords, entityName, panelTitle } from './panel-words.ts';
import { type Phrase, phrase, ratingPiece } from './phrase.ts';

/** An entity whose rating in the signed-off version of a panel is another than in the newest one. */
export interface LagLine {
  readonly catalogue: string;
  readonly panel: EventPanel;
  readonly entity: Entity;
  /** The version that is signed off, and its day, such as `2023-03-22`. */
  readonly signedOff: { readonly version: string; readonly date: string };
  /** The rating in the signed-off version. */
  readonly before: RatingAt;
  /** The rating in the newest version that is known. */
  readonly after: RatingAt;
  /** ISO 8601. */
  readonly since: string;
  readonly sinceVersion: string;
  /** False where it may have been so earlier. */
  readonly sinceIsExact: boolean;
  readonly days: number;
}

/** What waits for a sign-off on the panels of a digest, each list with the longest first. */
export interface DigestLag {
  readonly downgraded: readonly LagLine[];
  readonly awaiting: readonly LagLine[];
  /** How many panels were compared with their signed-off version. */
  readonly compared: number;
  /** What of it is unknown, in sentences. */
  readonly unknown: readonly string[];
}

type LagKind = 'downgraded' | 'awaiting';

const sections: Readonly<
  Record<LagKind, { readonly title: string; readonly tone: Tone; readonly none: string }>
> = {
  downgraded: {
    title: 'Signed off as green, no longer green',
    tone: 'red',
    none: 'Nothing that is signed off as green was found to be green no longer.',
  },
  awaiting: {
    title: 'Green, not signed off yet',
    tone: 'amber',
    none: 'Nothing was found to be green that is not signed off yet.',
  },
};
const kinds = ['downgraded', 'awaiting'] as const;

/** The section of a digest about what waits for a sign-off: what still counts as green and is it no longer comes first. */
export function lagBlocks(lag: DigestLag, { times, now }: MessageContext): readonly Block[] {
  const text = (sentence: string): Block => ({ kind: 'text', text: phrase`${sentence}` });
  return [
    text(`What waits for a sign-off, as of ${times.moment(now)}:`),
    ...kinds.flatMap((kind): readonly Block[] => {
      const lines = lag[kind];
      const { title, tone, none } = sections[kind];
      if (lines.length === 0)
        return lag.compared > 0 ? [text(`${none} ${counted(lag.compared, 'panel')} compared.`)] : [];
      const byPanel = Map.groupBy(lines, ({ catalogue, panel }) => `${catalogue} ${panel.id}`);
      const parts = [...byPanel.values()].map((own) => partOf(own, times));
      return [{ kind: 'group', title, tone, count: lines.length, parts }];
    }),
    ...lag.unknown.map(text),
  ];
}

function partOf(own: readonly LagLine[], times: MessageContext['times']): Part {
  const [first] = own;
  const rows = own.map((line): Row => {
    const { entity, before, after, since, sinceVersion, sinceIsExact, days } = line;
    const start = sinceIsExact ? 'since' : 'since then or earlier:';
    return {
      name: entityName(entity),
      words: phrase`${statusPhrase(before)} → ${statusPhrase(after)}`,
      note: phrase`${start} ${times.day(since)}, version ${cleanLine(sinceVersion)} (${counted(days, 'day')})`,
    };
  });
  if (!first) return { rows };
  const { panel, signedOff } = first;
  return {
    heading: phrase`${panelTitle(panel)}`,
    note: phrase`signed off: ${cleanLine(signedOff.version)}, since ${dayWords(signedOff.date)}; newest: ${cleanLine(panel.version ?? '')}`,
    rows,
  };
}

const statusPhrase = (rating: RatingAt): Phrase =>
  rating === 'absent' ? phrase`not on the panel` : [ratingPiece(rating)];

/** The lines of the digest's file. */
export const lagFileLines = (lag: DigestLag, dayOf: (at: string) => string): readonly ChangeLine[] =>
  kinds.flatMap((kind) =>
    lag[kind].map((line) => ({
      what: sections[kind].title.toLowerCase(),
      ...placeColumns(line.panel, line.catalogue),
      type: line.entity.type,
      'gene, STR or region': cleanLine(line.entity.name),
      'HGNC id': line.entity.hgncId ?? null,
      before: statusWord(line.before ?? 'unknown'),
      now: statusWord(line.after ?? 'unknown'),
      on: dayOf(line.since),
      'version of the change': versionCell(line.sinceVersion),
      details: `${line.sinceIsExact ? '' : 'or earlier; '}for ${line.days} days; signed off: version ${cleanLine(line.signedOff.version)}, since ${dayWords(line.signedOff.date)}`,
    })),
  );
