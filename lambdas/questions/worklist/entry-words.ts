import { capitalize } from '../../events/capitalize.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import { entityName } from '../../words/panel-words.ts';
import { ratingWord } from '../../words/phrase.ts';
import { inheritanceWords } from '../../words/value-words.ts';
import { changeWords, isOfDisagreement, uncertainWords, type WorklistChange } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';

/** `BRCA1 now green`, `STR RFC1_AAGGG may no longer be green`, `GLA: mode of inheritance changed`; of a panel, `signed off`. */
export function headlineOf({ entity, kind, isCertain }: WorklistChange): string {
  const words = (isCertain ? undefined : uncertainWords[kind]) ?? changeWords[kind];
  if (entity === null) return words;
  return `${entityName(entity)}${kind === 'inheritance-changed' ? ':' : ''} ${words}`;
}

/** `amber → green`, or the modes of inheritance; null where the change is of neither. */
export const ratingsOf = ({ from, to, inheritance }: WorklistChange): string | null =>
  inheritance
    ? `${inheritanceWords(inheritance.from)} → ${inheritanceWords(inheritance.to)}`
    : from === null || to === null
      ? null
      : `${statusWords(from)} → ${statusWords(to)}`;

function statusWords(status: EntityStatus): string {
  if (status === 'unknown') return 'unknown';
  return status === 'absent' ? 'not on the panel' : ratingWord(status);
}

/**
 * What happened since the change that a person must know before deciding, in sentences; empty where nothing did.
 * @param dayOf writes the day of a time, or a day such as `2026-05-06`; as such a day where absent
 */
export function noticesOf(
  { kind, event: stated, later, isReverted, reopenedBy, signOffs, isDerived }: WorklistEntry,
  dayOf: (time: string) => string = dayIn,
): readonly string[] {
  const last = later.at(-1);
  const ofDisagreement = isOfDisagreement({ kind });
  const turn =
    last && !ofDisagreement && `${statusWords(last.to)} since ${dayOf(last.at)}${inVersion(last.version)}`;
  const signedWords = ({ version, countsFrom }: WorklistEntry['signOffs'][number]): string =>
    version === null
      ? `the panel is signed off from ${dayOf(countsFrom)} (version unknown)`
      : `version ${version} is signed off from ${dayOf(countsFrom)}`;
  const coming = signOffs.filter(({ event }) => event !== reopenedBy?.event);
  return [
    // What the other catalogue says is in the event alone.
    ...(ofDisagreement ? [stated.summary] : []),
    ...(ofDisagreement && last
      ? [`No longer so since ${dayOf(last.at)}; a later entry says how it is now.`]
      : []),
    ...(!turn
      ? []
      : [
          `${isReverted ? (last?.to === 'unknown' ? 'Perhaps taken back' : 'Taken back') : 'Changed again'}: ${turn}.`,
        ]),
    ...(reopenedBy ? [`Open again: ${signedWords(reopenedBy)}.`] : []),
    ...coming.map(
      (signOff) =>
        `${capitalize(signedWords(signOff))}${signOff.isWithdrawn ? '; the sign-off was withdrawn later' : ''}.`,
    ),
    ...(isDerived ? [] : ['The history or the settings no longer have this change: the decision keeps it.']),
  ];
}

const inVersion = (version: string | null): string => (version === null ? '' : `, version ${version}`);
const dayIn = (at: string): string => at.slice(0, 10);
