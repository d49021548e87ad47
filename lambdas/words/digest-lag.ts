import type { Entity, EventPanel } from '../events/schemas.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import {
  type ChangeLine,
  type ChangeList,
  entityColumns,
  groupsOf,
  linesOf,
  placeColumns,
  statusWord,
  versionCell,
} from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { counted } from './counted.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, Tone } from './notice.ts';
import { dayWords, entityName, panelTitle } from './panel-words.ts';
import { phrase, statusPiece } from './phrase.ts';
import type { TimeWords } from './time-words.ts';

/** An entity whose rating in the signed-off version of a panel is another than in the newest one. */
export interface LagLine {
  readonly catalogue: string;
  readonly panel: EventPanel;
  readonly entity: Entity;
  /** The version that is signed off, and its day, such as `2023-03-22`. */
  readonly signedOff: { readonly version: string; readonly date: string };
  /** The rating in the signed-off version. */
  readonly before: EntityStatus;
  /** The rating in the newest version that is known. */
  readonly after: EntityStatus;
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

const kinds = ['downgraded', 'awaiting'] as const;

/** What still counts as green and is it no longer comes first. */
const sections: Readonly<
  Record<(typeof kinds)[number], { readonly title: string; readonly tone: Tone; readonly none: string }>
> = {
  downgraded: {
    title: 'Signed off as green, no longer green',
    tone: 'red',
    none: 'Nothing that is signed off as green was found to be no longer green.',
  },
  awaiting: {
    title: 'Green, not signed off yet',
    tone: 'amber',
    none: 'Nothing was found to be green that is not signed off yet.',
  },
};

/** The section of a digest about what waits for a sign-off. */
export function lagBlocks(lag: DigestLag, { times, now }: MessageContext): readonly Block[] {
  const text = (sentence: string): Block => ({ kind: 'text', text: phrase`${sentence}` });
  return [
    text(`What waits for a sign-off, as of ${times.moment(now)}:`),
    ...kinds.flatMap((kind): readonly Block[] => {
      if (lag[kind].length > 0) return groupsOf([listOf(kind, lag, times)]);
      return lag.compared > 0
        ? [text(`${sections[kind].none} ${counted(lag.compared, 'panel')} compared.`)]
        : [];
    }),
    ...lag.unknown.map(text),
  ];
}

/** The lines of the digest's file. */
export const lagFileLines = (lag: DigestLag, times: TimeWords): readonly ChangeLine[] =>
  linesOf(kinds.map((kind) => listOf(kind, lag, times)));

/** One of the lists, by panel. */
function listOf(kind: (typeof kinds)[number], lag: DigestLag, times: TimeWords): ChangeList {
  const byPanel = Map.groupBy(lag[kind], ({ catalogue, panel }) => `${catalogue} ${panel.id}`);
  const parts = [...byPanel.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { panel, signedOff, catalogue } = first;
    const [version, day] = [cleanLine(signedOff.version), dayWords(signedOff.date)];
    return [
      {
        heading: phrase`${panelTitle(panel)}`,
        note: phrase`signed off: ${version}, since ${day}; newest: ${cleanLine(panel.version ?? '')}`,
        changes: own.map(({ entity, before, after, since, sinceVersion, sinceIsExact, days }) => ({
          row: {
            name: entityName(entity),
            words: phrase`${statusPiece(before)} → ${statusPiece(after)}`,
            note: phrase`since ${times.day(since)}${sinceIsExact ? '' : ' or earlier'}, version ${cleanLine(sinceVersion)} (${counted(days, 'day')})`,
          },
          cells: {
            ...placeColumns(panel, catalogue),
            ...entityColumns(entity),
            ...{ before: statusWord(before), now: statusWord(after), on: times.isoDay(since) },
            'version of the change': versionCell(sinceVersion),
            details: `${sinceIsExact ? '' : 'or earlier; '}for ${counted(days, 'day')}; signed off: version ${version}, since ${day}`,
          },
        })),
      },
    ];
  });
  const { title, tone } = sections[kind];
  return { title, tone, parts };
}
