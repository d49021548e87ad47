import { rCodesIn } from '../../events/r-codes.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import { identityOf } from '../../panels/version-state.ts';
import { type Instant, parseInstant } from '../../run/instant.ts';
import { capitalize, counted } from '../../run/text.ts';
import { entityName } from '../../words/panel-words.ts';
import { phrase, ratingWord } from '../../words/phrase.ts';
import { inheritanceWords } from '../../words/value-words.ts';
import { CasesError } from '../impact/case-of.ts';
import { type Counted, impactOf } from '../impact/impact.ts';
import type { RecognisedCases } from '../impact/read-cases.ts';
import { statesOfCases } from '../impact/states-of-cases.ts';
import type { Column, Times } from '../question.ts';
import type { WorklistEntry } from './worklist-of.ts';
import { changeForm, isOfDisagreement, type WorklistChange, worklistStateForms } from './worklist-record.ts';

/** How many cases each entry concerns, by the id of the entry. */
export type CaseCounts = ReadonlyMap<string, CaseCount>;

interface CaseCount {
  readonly cases: number;
  /** Cases of which something is unknown: some of them may belong to the entry. */
  readonly unknown: number;
}

/** An entry as a row, with the cases that it concerns where they were counted. */
export interface EntryRow {
  readonly entry: WorklistEntry;
  readonly count: CaseCount | undefined;
}

/** So much of an id is shown: `decide` takes it. */
const SHOWN_ID = 12;

/** The columns of entries: what was decided about each last and before, who read it, and whose it is. */
export const entryColumns: readonly Column<EntryRow>[] = [
  {
    key: 'id',
    value: ({ entry }) => entry.id,
    heading: 'Id',
    phrase: ({ entry }) => phrase`${entry.id.slice(0, SHOWN_ID)}`,
  },
  { key: 'state', value: ({ entry }) => worklistStateForms[entry.state].words },
  { key: 'overdue', value: ({ entry }) => entry.isOverdue },
  {
    key: 'since',
    value: ({ entry }) => entry.since,
    heading: 'Since',
    phrase: ({ entry }, times) => phrase`${dayOf(entry.since, times)}`,
    note: ({ entry: { due, isOverdue, assignee } }, times) =>
      phrase`${[
        ...(due === null ? [] : [`${isOverdue ? 'overdue since' : 'due'} ${dayOf(due, times)}`]),
        ...(assignee === null ? [] : [`assigned to ${assignee}`]),
      ].join(', ')}`,
  },
  { key: 'due', value: ({ entry }) => entry.due },
  {
    key: 'change',
    value: ({ entry }) => headlineOf(entry),
    heading: 'Change',
    phrase: ({ entry }) => phrase`${headlineOf(entry)}`,
    note: ({ entry }) => phrase`${ratingsOf(entry) ?? ''}`,
  },
  { key: 'certain', value: ({ entry }) => entry.isCertain },
  { key: 'catalogue', value: ({ entry }) => entry.catalogue },
  { key: 'panelId', value: ({ entry }) => entry.panel.id },
  {
    key: 'panelName',
    value: ({ entry }) => entry.panel.name,
    heading: 'Panel',
    phrase: ({ entry: { panel } }) =>
      phrase`${panel.name}${panel.version === null ? '' : ` ${panel.version}`}`,
    note: ({ entry }) => phrase`${rCodesIn(entry.panel.disorders).join(', ')}`,
  },
  { key: 'rCodes', value: ({ entry }) => rCodesIn(entry.panel.disorders) },
  { key: 'version', value: ({ entry }) => entry.panel.version, isVersion: true },
  { key: 'type', value: ({ entry }) => entry.entity?.type ?? null },
  { key: 'name', value: ({ entry }) => entry.entity?.name ?? null },
  { key: 'hgncId', value: ({ entry }) => entry.entity?.hgncId ?? null },
  { key: 'rating', value: ({ entry }) => ratingsOf(entry) },
  {
    key: 'changedAt',
    value: ({ entry }) => entry.at,
    heading: 'Made',
    phrase: ({ entry }, times) => phrase`${dayOf(entry.at, times)}`,
    note: ({ entry }) => phrase`${entry.actor ?? ''}`,
  },
  { key: 'changedBy', value: ({ entry }) => entry.actor },
  {
    key: 'cases',
    value: ({ count }) => count?.cases,
    heading: 'Cases',
    phrase: ({ count }) => phrase`${casesOf(count)}`,
    kind: 'number',
  },
  { key: 'casesNotKnown', value: ({ count }) => count?.unknown },
  details('notices', 'Notices', ({ entry }, times) =>
    times ? noticesOf(entry, (time) => dayOf(time, times)) : noticesOf(entry),
  ),
  { key: 'revision', value: ({ entry }) => entry.revision },
  { key: 'decidedBy', value: ({ entry }) => entry.decisions.at(-1)?.by ?? null },
  { key: 'decidedAt', value: ({ entry }) => entry.decisions.at(-1)?.at ?? null },
  { key: 'why', value: ({ entry }) => entry.decisions.at(-1)?.why ?? null },
  details('earlierDecisions', 'Decisions', ({ entry: { decisions } }, times) =>
    times
      ? decisions.map(
          ({ number, state, by, at, why }) =>
            `${when(at, times)}${by} decided “${worklistStateForms[state].words}”: ${why} (revision ${number})`,
        )
      : decisions
          .slice(0, -1)
          .map(({ state, by, at, why }) => `${when(at)}${worklistStateForms[state].words}, ${by}: ${why}`),
  ),
  details('comments', 'Comments', ({ entry }, times) =>
    entry.comments.map(({ by, at, text }) => `${when(at, times)}${by}: ${text}`),
  ),
  { key: 'assignedTo', value: ({ entry }) => entry.assignee },
  details('assignments', 'Assignments', ({ entry }, times) =>
    entry.assignments.map(({ to, by, at }) => `${when(at, times)}${by}: to ${to ?? 'nobody'}`),
  ),
  details('readBy', 'Read by', ({ entry }, times) =>
    entry.readings.map(({ by, at }) => `${by} (${times ? times.moment(instantIn(at)) : at})`),
  ),
  { key: 'eventId', value: ({ entry }) => entry.event.id },
];

/** A column of sentences. @param sentencesOf for people, with their times; else for files */
function details(
  key: string,
  heading: string,
  sentencesOf: (row: EntryRow, times?: Times) => readonly string[],
): Column<EntryRow> {
  return {
    ...{ key, heading, kind: 'details' },
    value: (row) => sentencesOf(row),
    phrase: (row, times) => phrase`${sentencesOf(row, times).join('; ')}`,
  };
}

const instantIn = (time: string): Instant => parseInstant(time) ?? parseInstant(`${time}T00:00:00Z`) ?? 0n;
const dayOf = (time: string, times: Times): string => times.day(instantIn(time));
const when = (time: string, times?: Times): string =>
  times ? `${times.moment(instantIn(time))} ` : `${time}: `;

/** `at least 0` would read as none. */
const casesOf = (count: CaseCount | undefined): string => {
  if (!count) return '';
  const { cases, unknown } = count;
  if (unknown === 0) return String(cases);
  return cases === 0 ? 'unknown' : `at least ${cases}`;
};

interface CountedCases extends Pick<RecognisedCases, 'read'> {
  readonly counts: Counted;
}

/**
 * How many cases of a file each entry concerns: counts alone, no case is named or kept. An entry without a number of its own, such as
 * one that is about a whole panel, has none.
 * @throws {CasesError} when the file cannot be used
 * @throws {StateError} when the states of panels cannot be read
 */
export async function caseCountsOf(
  entries: readonly WorklistEntry[],
  { read, counts }: CountedCases,
  states: Parameters<typeof statesOfCases>[0],
) {
  const impact = await impactOf(read(), statesOfCases(states, counts));
  if (impact.cases === 0) throw new CasesError('Reading the cases: the file holds no case.');
  const byEffect = new Map<string, number>();
  for (const { effect, cases: some } of impact.effects) {
    // A change is found by the id of its gene, and by its name where the entry has no id.
    for (const hgncId of new Set([effect.hgncId, null]))
      byEffect.set(keyOf(effect.change, effect.panelId, { ...effect, hgncId }), some);
  }
  const countsById = new Map<string, { readonly cases: number; readonly unknown: number }>();
  for (const { id, kind, panel, entity, catalogue } of entries) {
    const { direction } = changeForm(kind);
    if (catalogue !== states.opened.catalogue) continue;
    if (direction === undefined || panel.id === null || entity === null) continue;
    const some =
      byEffect.get(keyOf(direction, panel.id, entity)) ??
      byEffect.get(keyOf(direction, panel.id, { ...entity, hgncId: null }));
    countsById.set(id, { cases: some ?? 0, unknown: impact.withUnknown });
  }
  const limit =
    impact.withUnknown === 0
      ? null
      : `Something is unknown about ${impact.withUnknown.toLocaleString('en-GB')} of ${counted(impact.cases, 'case')}, so each entry may concern more cases than are counted: "impact --cases" says why.`;
  return {
    counts: countsById,
    /** A sentence where something is unknown of some cases; null where nothing is. */
    limit,
  };
}

const keyOf = (change: string, panelId: number, entity: Parameters<typeof identityOf>[0]): string =>
  `${change} ${panelId} ${identityOf(entity)}`;

/** `BRCA1 now green`, `STR RFC1_AAGGG may no longer be green`, `GLA: mode of inheritance changed`; of a panel, `signed off`. */
export function headlineOf({ entity, kind, isCertain }: WorklistChange): string {
  const form = changeForm(kind);
  const words = (isCertain ? undefined : form.uncertain) ?? form.words;
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
  if (!last && !ofDisagreement && !reopenedBy && signOffs.length === 0 && isDerived) return [];
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
