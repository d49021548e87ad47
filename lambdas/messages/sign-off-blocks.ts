import type { PanelEvent } from '../events/schemas.ts';
import { type ChangeLine, placeColumns, statusWord } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { entityName } from './entity-name.ts';
import type { Block, GroupBlock, Row, Tone } from './notice.ts';
import { pageAddress } from './page-address.ts';
import { dayWords, panelName } from './panel-words.ts';
import { namePiece, type Phrase, phrase, ratingPiece, separated } from './phrase.ts';
import type { ComparedEntity, RatingAt, SignOffComparison } from './sign-off-comparison.ts';
import { shortInheritance } from './value-words.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** Whether an event says that a version was signed off, or a sign-off withdrawn. */
export const isSignOff = (event: PanelEvent): event is SignOffEvent =>
  event.type === 'gene-panel.panel.signed-off.v1';

/** A list of a sign-off's message. */
interface ComparedList {
  readonly title: string;
  readonly tone: Tone;
  readonly of: (comparison: SignOffComparison) => readonly ComparedEntity[] | null;
}

const lists: readonly ComparedList[] = [
  { title: 'Now green in the signed-off version', tone: 'green', of: ({ entered }) => entered },
  { title: 'No longer green in the signed-off version', tone: 'red', of: ({ left }) => left },
  { title: 'Green since, not signed off yet', tone: 'amber', of: ({ awaiting }) => awaiting },
  {
    title: 'Signed off as green, and no longer green since',
    tone: 'red',
    of: ({ downgraded }) => downgraded,
  },
];

/** `Hearing loss (R67) 4.20 is signed off: 3 genes more, 1 fewer than in 4.0`; null where the version is unknown. */
export function signOffHeadline(
  event: SignOffEvent,
  comparison: SignOffComparison | undefined,
): Phrase | null {
  const { signedOff, signedOffVersion: version, previousSignedOffVersion: before } = event.data.change;
  if (!signedOff || version === undefined) return null;
  const { name, codes } = panelName(event.data.panel);
  const start = phrase`${namePiece(name)}${codes} ${cleanLine(version)} is signed off`;
  const { entered, left } = comparison ?? {};
  if (!entered || !left || before === undefined) return start;
  const than = cleanLine(before);
  if (entered.length + left.length === 0) return phrase`${start}: the same green genes as in ${than}`;
  const noun = [...entered, ...left].every(({ entity }) => entity.type === 'gene') ? 'gene' : 'entry';
  const several = noun === 'gene' ? 'genes' : 'entries';
  const more = `${entered.length} ${entered.length === 1 ? noun : several} more`;
  return phrase`${start}: ${more}, ${String(left.length)} fewer than in ${than}`;
}

/** `Signed off: version 4.20, on 6 May 2026 (before: 4.0, since 22 March 2023)`. */
export function signOffSentence({ data: { change } }: SignOffEvent, now: string): Phrase {
  const { signedOff, signedOffVersion, signedOffDate, previousSignedOffVersion, previousSignedOffDate } =
    change;
  const version = signedOffVersion ?? change.version;
  const date = signedOffDate ?? change.date;
  const since = previousSignedOffDate === undefined ? '' : `, since ${dayWords(previousSignedOffDate)}`;
  const before =
    previousSignedOffVersion === undefined ? '' : `${cleanLine(previousSignedOffVersion)}${since}`;
  if (!signedOff) {
    return phrase`Withdrawn: ${version || before ? `the signed-off version ${cleanLine(version ?? '') || before}` : 'a signed-off version'}`;
  }
  const day = date === undefined ? '' : `, ${date > now.slice(0, 10) ? 'from' : 'on'} ${dayWords(date)}`;
  const what = version === undefined ? 'which version is not stated' : `version ${cleanLine(version)}`;
  return phrase`Signed off: ${what}${day}${before && ` (before: ${before})`}`;
}

/** What entered and left the signed-off version, what waits for the next one, and what of this is unknown. */
export function signOffBlocks(
  event: SignOffEvent,
  comparison: SignOffComparison | undefined,
): readonly Block[] {
  if (!comparison) return [];
  const groups = lists.flatMap((list): readonly GroupBlock[] => {
    const entities = list.of(comparison) ?? [];
    if (entities.length === 0) return [];
    const rows = entities.map((entity) => rowOf(entity, event));
    return [{ kind: 'group', title: list.title, tone: list.tone, count: rows.length, parts: [{ rows }] }];
  });
  return [...groups, ...emptySentences(comparison), ...comparison.unknown].map(
    (each): Block => (typeof each === 'string' ? { kind: 'text', text: phrase`${each}` } : each),
  );
}

/** What of the lists is empty, and known to be. */
function emptySentences({
  entered,
  left,
  awaiting,
  downgraded,
  newest,
}: SignOffComparison): readonly string[] {
  const read = newest === null ? '' : ` (newest version that was read: ${cleanLine(newest)})`;
  return [
    ...(entered?.length === 0 ? ['Nothing is newly green in the signed-off version.'] : []),
    ...(left?.length === 0 ? ['Nothing that was green in it is so no longer.'] : []),
    ...(awaiting?.length === 0 ? [`Nothing is green since and waits for a sign-off${read}.`] : []),
    ...(downgraded?.length === 0 ? [`Everything that is green in it is still green${read}.`] : []),
  ];
}

/** One line of a digest for each list that is not empty: `Now green in the signed-off version: OTOF, GJB6`. */
export const signOffLines = (comparison: SignOffComparison): readonly Phrase[] => [
  ...lists.flatMap(({ title, of }) => {
    const names = (of(comparison) ?? []).map(({ entity }) => entityName(entity));
    return names.length === 0 ? [] : [phrase`${title} (${String(names.length)}): ${names.join(', ')}`];
  }),
  ...comparison.unknown.map((sentence) => phrase`${sentence}`),
];

/** The lines of the file: one for each entity of each list. */
export const signOffFileLines = (event: SignOffEvent, comparison: SignOffComparison): readonly ChangeLine[] =>
  lists.flatMap(({ title, of }) =>
    (of(comparison) ?? []).map(({ entity, before, after, modeOfInheritance }) => ({
      what: title.toLowerCase(),
      ...placeColumns(event.data.panel, event.data.catalogue),
      type: entity.type,
      'gene, STR or region': cleanLine(entity.name),
      'HGNC id': entity.hgncId ?? null,
      before: statusWord(before ?? 'unknown'),
      now: statusWord(after ?? 'unknown'),
      inheritance: cleanLine(modeOfInheritance ?? ''),
    })),
  );

function rowOf({ entity, before, after, modeOfInheritance }: ComparedEntity, event: SignOffEvent): Row {
  const known = separated(
    [
      phrase`${cleanLine(entity.hgncId ?? '')}`,
      phrase`${cleanLine(shortInheritance(modeOfInheritance ?? ''))}`,
    ],
    ' · ',
  );
  const address = pageAddress({ ...event, data: { ...event.data, entity } } as object as PanelEvent);
  return {
    name: entityName(entity),
    words: phrase`${statusPhrase(before)} → ${statusPhrase(after)}`,
    ...(known.length > 0 && { more: [known] }),
    ...(address !== null && { address }),
  };
}

const statusPhrase = (rating: RatingAt): Phrase =>
  rating === 'absent' ? phrase`not on the panel` : [ratingPiece(rating)];
