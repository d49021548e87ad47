import type { PanelEvent } from '../../events/schemas.ts';
import { contentsOf, type EntityDifference, greenDifference } from '../../panels/compare-states.ts';
import { type HeldPlace, heldInVersion } from '../../panels/held-at.ts';
import type { PanelStateStore } from '../../panels/panel-state-store.ts';
import { changeBase, eventEntryId } from './change-of-event.ts';
import type { FoundChange } from './found-changes.ts';
import type { WorklistChange } from './worklist-change.ts';

/** A sign-off, or its withdrawal, as an event states it. */
export type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** What of the states of a catalogue's panels is read here. */
export type WorklistStates = Pick<PanelStateStore, 'find'>;

/** Whether an event is a sign-off or its withdrawal. */
export const isSignOffEvent = (event: PanelEvent): event is SignOffEvent =>
  event.type === 'gene-panel.panel.signed-off.v1';

/** The version that is signed off or withdrawn; null where it is unknown. */
export const signedVersion = ({ data: { change } }: SignOffEvent): string | null =>
  change.signedOffVersion ?? change.version ?? null;

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
export async function maySignOffAsGreen(
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
