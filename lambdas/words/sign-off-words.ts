import type { PanelEvent } from '../events/schemas.ts';
import type { SignOffChange } from '../filters/net-changes.ts';
import type { ComparedPanel, UncomparedPanel } from '../panels/compare-panels.ts';
import { counted, firstOf } from '../run/text.ts';
import {
  type ChangeLine,
  type ChangeList,
  entityColumns,
  groupsOf,
  linesOf,
  placeColumns,
  statusWord,
} from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import type { ComparedEntity, MessageContext, SignOffComparison } from './message-context.ts';
import { type Block, rowExtras, type Tone } from './notice.ts';
import { dayWords, entityName, pageAddress, panelName } from './panel-words.ts';
import { namePiece, type Phrase, phrase, separated, statusPiece } from './phrase.ts';
import { inheritanceLabel } from './value-words.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/**
 * `Hearing loss (R67) 4.20 is signed off: 3 genes more, 1 fewer than in 4.0`; `4.20 is signed off again`; null where the version
 * is unknown.
 */
export function signOffHeadline(
  event: SignOffEvent,
  comparison: SignOffComparison | undefined,
  now: string,
): Phrase | null {
  const {
    signedOff,
    signedOffVersion: version,
    signedOffDate: date,
    previousSignedOffVersion: before,
  } = event.data.change;
  if (!signedOff || version === undefined) return null;
  const { name, codes } = panelName(event.data.panel);
  const from = date !== undefined && isComing(date, now) ? ` from ${dayWords(date)}` : '';
  const start = phrase`${namePiece(name)}${codes} ${cleanLine(version)} is signed off${from}`;
  if (version === before) return phrase`${start} again`;
  const { entered, left, green, filtered } = comparison ?? {};
  const asked = filtered ? ' of those asked for' : '';
  if (green) return phrase`${start}: ${String(green.length)} green ${nounOf(green.length, green)}${asked}`;
  if (!entered || !left || before === undefined) return start;
  const than = cleanLine(before);
  if (entered.length + left.length === 0) return phrase`${start}: the same green genes${asked} as in ${than}`;
  const more = `${entered.length} ${nounOf(entered.length, [...entered, ...left])} more`;
  return phrase`${start}: ${more}, ${String(left.length)} fewer${asked} than in ${than}`;
}

function nounOf(count: number, entities: readonly ComparedEntity[]): string {
  const [one, several] = entities.every(({ entity }) => entity.type === 'gene')
    ? ['gene', 'genes']
    : ['entry', 'entries'];
  return count === 1 ? one : several;
}

/** `version 4.20 signed off from 6 May 2026`, `a version signed off`, `sign-off of version 4.20 withdrawn`: of a period. */
export function signOffChangeWords({ signedOff, version, date }: SignOffChange): string {
  const which = version === null ? 'a version' : `version ${cleanLine(version)}`;
  if (!signedOff) return `sign-off of ${which} withdrawn`;
  return `${which} signed off${date === null ? '' : ` from ${dayWords(date)}`}`;
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
  const day = date === undefined ? '' : `, ${isComing(date, now) ? 'from' : 'on'} ${dayWords(date)}`;
  const what = version === undefined ? 'a version that is not stated' : `version ${cleanLine(version)}`;
  return phrase`Signed off: ${what}${day}${before && ` (before: ${before})`}`;
}

/** Whether an event says that a version was signed off, or a sign-off withdrawn. */
export const isSignOff = (event: PanelEvent): event is SignOffEvent =>
  event.type === 'gene-panel.panel.signed-off.v1';

/**
 * Events without sign-offs whose version no row stated, where a later one, found by the list of signed-off versions, states it.
 */
export function withoutCompleted(events: readonly PanelEvent[]): readonly PanelEvent[] {
  const last = events.findLastIndex(
    (event) => isSignOff(event) && event.data.change.via === 'snapshot' && event.data.change.signedOff,
  );
  return events.filter(
    (event, place) =>
      place >= last ||
      !isSignOff(event) ||
      !event.data.change.signedOff ||
      event.data.change.signedOffVersion !== undefined,
  );
}

interface ComparedList {
  readonly of: 'entered' | 'left' | 'awaiting' | 'downgraded' | 'green';
  readonly title: (version: string) => string;
  readonly tone: Tone;
  /** Whether a line of the file is about the newest version, and not about the one that is signed off. */
  readonly isOfNewest?: true;
}

/** The lists of a sign-off's message, in their order. Titles take `the signed-off version`, or `version 4.20`. */
const signOffLists: readonly ComparedList[] = [
  { of: 'entered', tone: 'green', title: (version) => `Now green in ${version}` },
  { of: 'left', tone: 'red', title: (version) => `No longer green in ${version}` },
  { of: 'awaiting', tone: 'amber', isOfNewest: true, title: () => 'Green since, not signed off yet' },
  {
    of: 'downgraded',
    tone: 'red',
    isOfNewest: true,
    title: () => 'Signed off as green, and no longer green since',
  },
  { of: 'green', tone: 'green', title: (version) => `Green in ${version}` },
];

interface ComparedSignOff {
  readonly event: SignOffEvent;
  readonly comparison: SignOffComparison;
}

/**
 * The sign-offs of one message with what they changed, oldest first. What is green and not signed off is not said of one that
 * another one has replaced.
 */
export function comparedSignOffs(
  events: readonly PanelEvent[],
  { signOff, now }: Pick<MessageContext, 'signOff' | 'now'>,
): readonly ComparedSignOff[] {
  return events.filter(isSignOff).flatMap((event): readonly ComparedSignOff[] => {
    const comparison = signOff?.(event.id);
    if (!comparison) return [];
    const isReplaced = comparison.counting !== null && !isComing(event.data.change.signedOffDate ?? '', now);
    return [
      { event, comparison: isReplaced ? { ...comparison, awaiting: null, downgraded: null } : comparison },
    ];
  });
}

const isComing = (date: string, now: string): boolean => date > now.slice(0, 10);

/** `the signed-off version`, or by its number where it does not count, or others are in the message. */
function versionWords({ event, comparison }: ComparedSignOff, several: boolean): string {
  const { signedOffVersion } = event.data.change;
  return signedOffVersion !== undefined && (several || comparison.counting)
    ? `version ${cleanLine(signedOffVersion)}`
    : 'the signed-off version';
}

/** What entered and left the signed-off version, what waits for the next one, and what of this is unknown. */
export const signOffBlocks = (all: readonly ComparedSignOff[], now: string): readonly Block[] =>
  all.flatMap((one) => [
    ...groupsOf(listsOf(one, all.length > 1)),
    ...[...countingSentence(one, now), ...emptySentences(one), ...one.comparison.unknown].map(
      (sentence): Block => ({ kind: 'text', text: phrase`${sentence}` }),
    ),
  ]);

/** One line of a digest for each list that is not empty: `Now green in the signed-off version (2): OTOF, GJB6`. */
export const signOffLines = (all: readonly ComparedSignOff[]): readonly Phrase[] =>
  all.flatMap((one) => [
    ...groupsOf(listsOf(one, all.length > 1)).map(({ title, count, parts }) => {
      const names = parts.flatMap(({ rows }) => rows.map(({ name }) => name));
      return phrase`${title} (${String(count)}): ${names.join(', ')}`;
    }),
    ...one.comparison.unknown.map((sentence) => phrase`${sentence}`),
  ]);

/** The lines of the file: one for each entity of each list. */
export const signOffFileLines = (all: readonly ComparedSignOff[]): readonly ChangeLine[] =>
  all.flatMap((one) => linesOf(listsOf(one, all.length > 1)));

/** What a sign-off changed, as lists. `several`: others are in the message. */
const listsOf = (one: ComparedSignOff, several: boolean): readonly ChangeList[] => {
  const { event, comparison } = one;
  const { panel, catalogue, change } = event.data;
  return signOffLists.map(({ of, title, tone, isOfNewest }) => {
    const version = isOfNewest ? comparison.newest : (change.signedOffVersion ?? null);
    const changes = (comparison[of] ?? []).map(({ entity, before, after, modeOfInheritance }) => {
      const known = separated(
        [phrase`${cleanLine(entity.hgncId ?? '')}`, phrase`${inheritanceLabel(modeOfInheritance)}`],
        ' · ',
      );
      const [from, to] = [statusPiece(before ?? 'unknown'), statusPiece(after ?? 'unknown')];
      return {
        row: {
          name: entityName(entity),
          // Of what is green before and after, one rating says all.
          words: of === 'green' ? [to] : phrase`${from} → ${to}`,
          ...rowExtras(known.length > 0 ? [known] : [], pageAddress(event, entity)),
        },
        cells: {
          ...placeColumns({ ...panel, version }, catalogue),
          ...entityColumns(entity),
          before: statusWord(before ?? 'unknown'),
          now: statusWord(after ?? 'unknown'),
          inheritance: cleanLine(modeOfInheritance ?? ''),
          details: signOffCell(change),
        },
      };
    });
    return { title: title(versionWords(one, several)), tone, parts: [{ changes }] };
  });
};

/** Which version counts, where it is not the one of the sign-off. */
function countingSentence(
  { event: { data }, comparison: { counting } }: ComparedSignOff,
  now: string,
): readonly string[] {
  const { signedOff, signedOffDate } = data.change;
  const version = counting && `${cleanLine(counting.version)}, signed off on ${dayWords(counting.date)}`;
  if (!signedOff)
    return [
      version ? `What counts now is version ${version}.` : 'No other version is known to be signed off.',
    ];
  if (version === null) return [];
  const isLater = signedOffDate !== undefined && isComing(signedOffDate, now);
  return [`${isLater ? 'Until then, what counts' : 'What counts now'} is version ${version}.`];
}

/** What of the lists is empty, and known to be. */
function emptySentences({ event, comparison }: ComparedSignOff): readonly string[] {
  const { entered, left, awaiting, downgraded, green } = comparison;
  const { signedOffVersion, previousSignedOffVersion } = event.data.change;
  const [version, before] = [signedOffVersion, previousSignedOffVersion].map((one) => cleanLine(one ?? ''));
  const newest = cleanLine(comparison.newest ?? '');
  const asked = comparison.filtered ? ' of what you ask for' : '';
  return [
    ...(green?.length === 0 ? [`Nothing${asked} is green in ${version}.`] : []),
    ...(entered?.length === 0 && version !== before ? [`Nothing${asked} is newly green in ${version}.`] : []),
    ...(left?.length === 0 && version !== before
      ? [`Everything${asked} that is green in ${before} is green in ${version}.`]
      : []),
    ...(awaiting?.length === 0
      ? [
          `Everything${asked} that is green in ${newest}, the newest version that is known, is green in ${version}: nothing waits for a sign-off.`,
        ]
      : []),
    ...(downgraded?.length === 0
      ? [
          `Everything${asked} that is green in ${version} is green in ${newest}, the newest version that is known.`,
        ]
      : []),
  ];
}

/** `signed off: 4.20, 6 May 2026; before: 4.0, 22 March 2023`, in the words of the message. */
function signOffCell(change: SignOffEvent['data']['change']): string {
  const { signedOffVersion, signedOffDate, previousSignedOffVersion, previousSignedOffDate } = change;
  const words = (label: string, version: string | undefined, date: string | undefined): string =>
    version === undefined
      ? ''
      : `${label}: ${cleanLine(version)}${date === undefined ? '' : `, ${dayWords(date)}`}`;
  return [
    words('signed off', signedOffVersion, signedOffDate),
    words('before', previousSignedOffVersion, previousSignedOffDate),
  ]
    .filter(Boolean)
    .join('; ');
}

/**
 * What the comparison of panels does not cover, in sentences; empty where it covers all that was asked. `unknown`: it should be covered,
 * and cannot be. `note`: there is nothing to compare.
 */
export function comparisonLimits(
  found: readonly (ComparedPanel | UncomparedPanel)[],
  nameOf: (panelId: number) => string,
) {
  const unknown = found.flatMap((one): readonly string[] => {
    if ('why' in one)
      return one.isNone ? [] : [`${nameOf(one.panelId)} (${one.panelId}): unknown. ${one.why}`];
    return [one.before, one.after].flatMap(({ later, summary: { panelId } }) =>
      later === null
        ? []
        : `${nameOf(panelId)} (${panelId}): version ${later.began} has not been read yet. The lists show version ${later.read}, with what events state since.`,
    );
  });
  const without = found.flatMap((one) => ('why' in one && one.isNone ? nameOf(one.panelId) : []));
  return [
    ...unknown.map((sentence) => ({ kind: 'unknown', sentence }) as const),
    ...(without.length > 0 ? [{ kind: 'note', sentence: withoutWords(without) } as const] : []),
  ];
}

/** Said where no list of signed-off versions was read: then none is known to have none. */
export const noSignOffKnown = (catalogue: string): string =>
  `No sign-off of ${catalogue} is known: its list of signed-off versions has not been read yet, or the catalogue serves none.`;

const MOST_NAMES = 5;

const withoutWords = (names: readonly string[]): string =>
  `${counted(names.length, 'panel')} without a signed-off version: ${firstOf(names, MOST_NAMES)}.`;
