import { rCodesIn } from '../../events/r-codes.ts';
import { identityOf } from '../../panels/entity-identity.ts';
import { safeJson } from '../../run/safe-json.ts';
import { counted } from '../../words/counted.ts';
import { byteOrderMark, csvLine } from '../../words/csv.ts';
import { CasesError } from '../impact/cases-error.ts';
import { impactOf } from '../impact/impact.ts';
import type { Counted } from '../impact/impact-states.ts';
import type { RecognisedCases } from '../impact/read-cases.ts';
import { statesOfCases } from '../impact/states-of-cases.ts';
import { headlineOf, noticesOf, ratingsOf } from './entry-words.ts';
import { changeDirections } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import { worklistStateForms } from './worklist-states.ts';

/** How many cases each entry concerns, by the id of the entry. */
export type CaseCounts = ReadonlyMap<string, CaseCount>;

/** The cases that an entry concerns, and whether there may be more. */
interface CaseCount {
  readonly cases: number;
  /** Cases of which something is unknown: some of them may belong to the entry. */
  readonly unknown: number;
}

/** The names of the columns, in their order. */
export const entryColumns = [
  'id',
  'state',
  'overdue',
  'since',
  'due',
  'change',
  'certain',
  'catalogue',
  'panelId',
  'panelName',
  'rCodes',
  'version',
  'type',
  'name',
  'hgncId',
  'rating',
  'changedAt',
  'changedBy',
  'notices',
  'revision',
  'decidedBy',
  'decidedAt',
  'why',
  'earlierDecisions',
  'comments',
  'assignedTo',
  'assignments',
  'readBy',
  'eventId',
] as const;
const caseColumns = ['cases', 'casesNotKnown'] as const;

type Cell = string | number | boolean | null | readonly string[];
type EntryRow = Readonly<Record<(typeof entryColumns)[number], Cell>> &
  Partial<Record<(typeof caseColumns)[number], Cell>>;

/** An entry as one row of files, with what was decided about it last and before. */
export function rowOf(entry: WorklistEntry, counts?: CaseCounts): EntryRow {
  const { panel, entity, decisions, readings } = entry;
  const last = decisions.at(-1);
  const count = counts?.get(entry.id);
  return {
    id: entry.id,
    state: worklistStateForms[entry.state].words,
    overdue: entry.isOverdue,
    since: entry.since,
    due: entry.due,
    change: headlineOf(entry),
    certain: entry.isCertain,
    catalogue: entry.catalogue,
    panelId: panel.id,
    panelName: panel.name,
    rCodes: rCodesIn(panel.disorders),
    version: panel.version,
    type: entity?.type ?? null,
    name: entity?.name ?? null,
    hgncId: entity?.hgncId ?? null,
    rating: ratingsOf(entry),
    changedAt: entry.at,
    changedBy: entry.actor,
    notices: noticesOf(entry),
    revision: entry.revision,
    decidedBy: last?.by ?? null,
    decidedAt: last?.at ?? null,
    why: last?.why ?? null,
    earlierDecisions: decisions
      .slice(0, -1)
      .map(({ state, by, at, why }) => `${at}: ${worklistStateForms[state].words}, ${by}: ${why}`),
    comments: entry.comments.map(({ by, at, text }) => `${at}: ${by}: ${text}`),
    assignedTo: entry.assignee,
    assignments: entry.assignments.map(({ to, by, at }) => `${at}: ${by}: to ${to ?? 'nobody'}`),
    readBy: readings.map(({ by, at }) => `${by} (${at})`),
    eventId: entry.event.id,
    ...(counts && { cases: count?.cases ?? null, casesNotKnown: count?.unknown ?? null }),
  };
}

/** One JSON object a line. */
export const worklistNdjson = (entries: readonly WorklistEntry[], counts?: CaseCounts): string =>
  entries.map((entry) => `${safeJson(JSON.stringify(rowOf(entry, counts)))}\n`).join('');

/**
 * The entries for a spreadsheet, and below them a line for each sentence about what is not in them.
 * @param limits sentences
 */
export function worklistCsv(
  entries: readonly WorklistEntry[],
  limits: readonly string[],
  counts?: CaseCounts,
): string {
  const shown = counts ? [...entryColumns, ...caseColumns] : entryColumns;
  const lines = entries.map((entry) => {
    const row = rowOf(entry, counts);
    return csvLine(shown.map((column) => cellOf(column, row[column])));
  });
  return byteOrderMark + csvLine(shown) + lines.join('') + limits.map((each) => csvLine([each])).join('');
}

function cellOf(column: keyof EntryRow, value: Cell | undefined): string | number | boolean | null {
  // A spreadsheet would read the version 8.10 as the number 8.1.
  if (column === 'version' && typeof value === 'string') return `v${value}`;
  return typeof value === 'object' && value !== null ? value.join('; ') : (value ?? null);
}

interface CountedCases extends Pick<RecognisedCases, 'read'> {
  readonly counts: Counted;
}

/** The counts of entries, and what keeps them from being whole. */
interface CountedEntries {
  readonly counts: CaseCounts;
  /** A sentence where something is unknown of some cases; null where nothing is. */
  readonly limit: string | null;
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
): Promise<CountedEntries> {
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
    const direction = changeDirections[kind];
    if (catalogue !== states.opened.catalogue) continue;
    if (direction === null || panel.id === null || entity === null) continue;
    const some =
      byEffect.get(keyOf(direction, panel.id, entity)) ??
      byEffect.get(keyOf(direction, panel.id, { ...entity, hgncId: null }));
    countsById.set(id, { cases: some ?? 0, unknown: impact.withUnknown });
  }
  const limit =
    impact.withUnknown === 0
      ? null
      : `Something is unknown about ${impact.withUnknown.toLocaleString('en-GB')} of ${counted(impact.cases, 'case')}, so each entry may concern more cases than are counted: "impact --cases" says why.`;
  return { counts: countsById, limit };
}

const keyOf = (change: string, panelId: number, entity: Parameters<typeof identityOf>[0]): string =>
  `${change} ${panelId} ${identityOf(entity)}`;
