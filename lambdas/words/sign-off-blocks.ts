import type { PanelEvent } from '../events/schemas.ts';
import { type ChangeLine, placeColumns, statusWord } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { entityName } from './entity-name.ts';
import type { Block, GroupBlock, Row } from './notice.ts';
import { pageAddress } from './page-address.ts';
import { dayWords } from './panel-words.ts';
import { type Phrase, phrase, ratingPiece, separated } from './phrase.ts';
import type { ComparedEntity, RatingAt } from './sign-off-comparison.ts';
import {
  type ComparedList,
  type ComparedSignOff,
  isComing,
  signOffLists,
  versionWords,
} from './sign-off-lists.ts';
import { inheritanceLabel } from './value-words.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** What entered and left the signed-off version, what waits for the next one, and what of this is unknown. */
export function signOffBlocks(all: readonly ComparedSignOff[], now: string): readonly Block[] {
  return all.flatMap((one) => {
    const { event, comparison } = one;
    const groups = signOffLists.flatMap((list): readonly GroupBlock[] => {
      const entities = list.of(comparison) ?? [];
      if (entities.length === 0) return [];
      const rows = entities.map((entity) => rowOf(entity, event, list));
      const title = list.title(versionWords(one, all.length > 1));
      return [{ kind: 'group', title, tone: list.tone, count: rows.length, parts: [{ rows }] }];
    });
    const sentences = [...countingSentence(one, now), ...emptySentences(one), ...comparison.unknown].map(
      (sentence): Block => ({ kind: 'text', text: phrase`${sentence}` }),
    );
    return [...groups, ...sentences];
  });
}

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

/** One line of a digest for each list that is not empty: `Now green in the signed-off version (2): OTOF, GJB6`. */
export const signOffLines = (all: readonly ComparedSignOff[]): readonly Phrase[] =>
  all.flatMap((one) => [
    ...signOffLists.flatMap(({ title, of }) => {
      const names = (of(one.comparison) ?? []).map(({ entity }) => entityName(entity));
      if (names.length === 0) return [];
      return [
        phrase`${title(versionWords(one, all.length > 1))} (${String(names.length)}): ${names.join(', ')}`,
      ];
    }),
    ...one.comparison.unknown.map((sentence) => phrase`${sentence}`),
  ]);

/** The lines of the file: one for each entity of each list. */
export const signOffFileLines = (all: readonly ComparedSignOff[]): readonly ChangeLine[] =>
  all.flatMap((one) => {
    const { event, comparison } = one;
    const { panel, catalogue, change } = event.data;
    return signOffLists.flatMap((list) =>
      (list.of(comparison) ?? []).map(({ entity, before, after, modeOfInheritance }) => ({
        what: list.title(versionWords(one, all.length > 1)).toLowerCase(),
        ...placeColumns({ ...panel, version: list.version(comparison, change.signedOffVersion) }, catalogue),
        type: entity.type,
        'gene, STR or region': cleanLine(entity.name),
        'HGNC id': entity.hgncId ?? null,
        before: statusWord(before ?? 'unknown'),
        now: statusWord(after ?? 'unknown'),
        inheritance: cleanLine(modeOfInheritance ?? ''),
        details: signOffCell(change),
      })),
    );
  });

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

function rowOf(
  { entity, before, after, modeOfInheritance }: ComparedEntity,
  event: SignOffEvent,
  { rows }: ComparedList,
): Row {
  const known = separated(
    [phrase`${cleanLine(entity.hgncId ?? '')}`, phrase`${inheritanceLabel(modeOfInheritance)}`],
    ' · ',
  );
  const address = pageAddress({ ...event, data: { ...event.data, entity } } as object as PanelEvent);
  const change = phrase`${statusPhrase(before)} → ${statusPhrase(after)}`;
  return {
    name: entityName(entity),
    words: rows === 'change' ? change : phrase`${statusPhrase(after)}`,
    ...(known.length > 0 && { more: [known] }),
    ...(address !== null && { address }),
  };
}

const statusPhrase = (rating: RatingAt): Phrase =>
  rating === 'absent' ? phrase`not on the panel` : [ratingPiece(rating)];
