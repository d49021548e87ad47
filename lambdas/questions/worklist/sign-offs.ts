import { isBeforeVersion } from '../../events/order.ts';
import type { Names } from '../../filters/names.ts';
import { contentsOf, type EntityDifference, greenDifference } from '../../panels/compare-states.ts';
import { type HeldPlace, heldInVersion } from '../../panels/held-at.ts';
import type { History } from '../../store/history/history.ts';
import {
  changeBase,
  changeFilter,
  eventEntryId,
  type SignOffEvent,
  signedVersion,
} from './changes-of-events.ts';
import type { FoundChange, FoundChanges, LaterTurn, WorklistChange } from './worklist-record.ts';
import type { WorklistSettings } from './worklist-settings.ts';

/** A sign-off of the panel that has, or may have, the change in it. */
export interface SeenSignOff {
  /** The id of its event. */
  readonly event: string;
  /** When it was made known, ISO 8601 in UTC. */
  readonly at: string;
  /** Null where the list of signed-off versions was not read. */
  readonly version: string | null;
  /** The day from which it counts, such as `2026-05-06`. */
  readonly countsFrom: string;
  /** Whether it was withdrawn later. */
  readonly isWithdrawn: boolean;
}

/** The sign-offs of panels that have a change in them, or may have it, by when they were made known. */
export function seenSignOffs(
  events: readonly SignOffEvent[],
): (change: WorklistChange) => readonly SeenSignOff[] {
  const byPanel = Map.groupBy(events, ({ source, data }) => `${source} ${data.panel.id ?? data.panel.name}`);
  return (change) => {
    const { source, panel } = change;
    const all = byPanel.get(`${source} ${panel.id ?? panel.name}`) ?? [];
    const withdrawals = all.filter(({ data }) => !data.change.signedOff);
    return all
      .filter((event) => event.data.change.signedOff && mayHave(event, change))
      .map((event) => ({ ...seenOf(event), isWithdrawn: withdrawals.some((later) => undoes(later, event)) }));
  };
}

/** A sign-off of an earlier version lacks the change, whenever it is made. Where a version is unknown, the times decide. */
function mayHave(event: SignOffEvent, { panel, at, kind, event: own }: WorklistChange): boolean {
  if (event.id === own.id) return false;
  const signed = signedVersion(event);
  const isOfSignOff = /sign-off|signed-off/.test(kind);
  if (signed === null || panel.version === null || isOfSignOff) return (event.time ?? '') > at;
  return !isBeforeVersion(signed, panel.version);
}

function undoes(withdrawal: SignOffEvent, event: SignOffEvent): boolean {
  const version = signedVersion(withdrawal);
  return (
    (withdrawal.time ?? '') > (event.time ?? '') && (version === null || version === signedVersion(event))
  );
}

const seenOf = (event: SignOffEvent): Omit<SeenSignOff, 'isWithdrawn'> => {
  const { signedOffDate, date } = event.data.change;
  return {
    event: event.id,
    at: event.time ?? '',
    version: signedVersion(event),
    countsFrom: signedOffDate ?? date ?? (event.time ?? '').slice(0, 10),
  };
};

/** Whether the day of a sign-off has come. */
export const countsAt = ({ countsFrom }: SeenSignOff, now: string): boolean => countsFrom <= now.slice(0, 10);

interface CountingPlace {
  readonly names: Names;
  readonly history: History;
  /** The states of the panels of a catalogue; null where none are kept. */
  readonly statesOf: (catalogue: string) => WorklistStates | null;
}

/**
 * The changes that count: those of working versions, or what sign-offs bring into the signed-off ones and take away.
 * @throws {StateError | HistoryError} when the states, or events after them, cannot be read
 */
export async function countedChanges(
  { changes, signOffs }: Pick<FoundChanges, 'changes' | 'signOffs'>,
  { counts, filter }: WorklistSettings,
  { names, statesOf, history }: CountingPlace,
): Promise<readonly Omit<FoundChange, 'signedOff'>[]> {
  if (counts === 'working') return changes;
  const matches = changeFilter(filter, names);
  const { to } = filter;
  const wantsGreen = to === undefined || to.includes('green');
  const wantsLost = to === undefined || to.some((rating) => rating !== 'green');
  const placeOf = (catalogue: string): HeldPlace<'find'> | null => {
    const states = statesOf(catalogue);
    return states && { catalogue, states, history };
  };
  const ofSignOffs: FoundChange['change'][] = [];
  for (const event of signOffs) {
    const all = await signOffChanges(event, placeOf(event.data.catalogue));
    ofSignOffs.push(
      ...all.filter((change) => matches(change) && (change.entity === null || wants(change.to))),
    );
  }
  const lost: FoundChange[] = [];
  for (const found of wantsLost ? changes : []) {
    const held = placeOf(found.change.catalogue);
    if (found.change.kind === 'no-longer-green' && (await maySignOffAsGreen(found, held))) lost.push(found);
  }
  return [...lost, ...withLaterOnes(ofSignOffs)];

  function wants(rating: FoundChange['change']['to']): boolean {
    return rating === 'green' ? wantsGreen : wantsLost;
  }
}

/** What of the states of a catalogue's panels is read here. */
export type WorklistStates = HeldPlace<'find'>['states'];

/**
 * What a sign-off brings into the signed-off version of its panel, what leaves it, and what is green there with another mode of inheritance. Where one of the two versions was not read,
 * one change says that this is unknown.
 * @throws {StateError | HistoryError} when the states, or events after them, cannot be read
 */
export async function signOffChanges(
  event: SignOffEvent,
  place: HeldPlace<'find'> | null,
): Promise<readonly WorklistChange[]> {
  const { panel, change } = event.data;
  const version = signedVersion(event);
  const plain = changeBase(event);
  const base = { ...plain, panel: { ...plain.panel, version }, from: null, to: null };
  if (!change.signedOff)
    return [{ ...base, id: eventEntryId(event.id), kind: 'sign-off-withdrawn', isCertain: true }];
  const read = async (wanted: string | null | undefined) =>
    wanted == null || panel.id === null || !place ? null : heldInVersion(panel.id, wanted, place);
  const [now, before] = [await read(version), await read(change.previousSignedOffVersion)];
  if (!now || !before)
    return [{ ...base, id: eventEntryId(event.id), kind: 'sign-off-not-compared', isCertain: false }];
  const { entered, left, inheritance } = greenDifference(contentsOf(before.state), contentsOf(now.state));
  const changeOf = (green: EntityDifference, side: 'entered' | 'left'): WorklistChange => {
    const { type, name, hgncId } = green.entity;
    return {
      ...base,
      id: eventEntryId(event.id, `${type} ${name.toUpperCase()} ${side}`),
      kind: side === 'entered' ? 'signed-off-as-green' : 'no-longer-signed-off-as-green',
      isCertain: (side === 'entered' ? green.before : green.after) !== 'unknown',
      entity: { type, name, hgncId },
      ...{ from: green.before, to: green.after },
    };
  };
  const otherInheritance = ({ entity: { type, name, hgncId }, modes }: EntityDifference): WorklistChange => ({
    ...base,
    id: eventEntryId(event.id, `${type} ${name.toUpperCase()} inheritance`),
    kind: 'signed-off-with-other-inheritance',
    isCertain: true,
    entity: { type, name, hgncId },
    inheritance: { from: modeIn(modes?.before), to: modeIn(modes?.after) },
  });
  return [
    ...entered.map((green) => changeOf(green, 'entered')),
    ...left.map((green) => changeOf(green, 'left')),
    ...inheritance.map(otherInheritance),
  ];
}

const modeIn = (modes: readonly string[] = []): string | null => modes.filter(Boolean).join('; ') || null;

/**
 * Whether the version that was signed off at the time of a change holds its entity as green, or may hold it so.
 * @throws {StateError | HistoryError} when the states, or events after them, cannot be read
 */
async function maySignOffAsGreen(
  { change: { panel, entity }, signedOff }: Pick<FoundChange, 'change' | 'signedOff'>,
  place: HeldPlace<'find'> | null,
): Promise<boolean> {
  if (!entity || panel.id === null) return true;
  if (signedOff.version === null) return signedOff.isSignedOff !== false;
  const held = place && (await heldInVersion(panel.id, signedOff.version, place));
  if (!held) return true;
  const status = contentsOf(held.state).statusOf(entity);
  return status === 'green' || status === 'unknown';
}

/** Changes of one thing, each with those after it: for what sign-offs brought and took away. */
function withLaterOnes(changes: readonly FoundChange['change'][]): readonly Omit<FoundChange, 'signedOff'>[] {
  const placeOf = ({ source, panel, entity }: FoundChange['change']): string =>
    JSON.stringify([source, panel.id ?? panel.name, entity && [entity.type, entity.name.toUpperCase()]]);
  const groups = Map.groupBy(changes, placeOf);
  return changes.map((change) => {
    const later = (groups.get(placeOf(change)) ?? [])
      .filter(({ at, entity }) => entity !== null && at > change.at)
      .map(laterOf);
    const now = later.at(-1);
    return {
      change,
      later,
      isReverted: now !== undefined && (now.to === 'green') !== (change.to === 'green'),
    };
  });
}

const laterOf = ({ event, at, from, to, panel }: FoundChange['change']): LaterTurn => ({
  ...{ event: event.id, at, from: from ?? 'unknown', to: to ?? 'unknown', version: panel.version },
});
