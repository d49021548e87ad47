import { setImmediate } from 'node:timers/promises';
import type { Instant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { contentsOf, differencesOf, type EntityDifference, type PanelContents } from './compare-states.ts';
import type { OnDemandStates } from './find-state.ts';
import { heldAt, heldInVersion, type StateSince, shownAt, stateSince, versionSince } from './held-at.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { signedOffAt } from './signed-off-at.ts';
import { entityKey, type PanelTrail, readPanelTrail, type Since, sinceWhen } from './since-when.ts';
import { identityOf, type SignOff, type VersionState, type VersionSummary } from './version-state.ts';

/** A state of a panel that a comparison names. */
export type Side =
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'at'; readonly at: Instant }
  | { readonly kind: 'signed-off' }
  /** The version before the other side of the comparison. */
  | { readonly kind: 'previous' }
  | { readonly kind: 'newest' };

/** Where the states of one catalogue are read. */
export interface SidePlace {
  /** Its configured name. */
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, 'newest' | 'find' | 'at' | 'signOffs' | 'versions' | 'read'>;
  readonly history: Pick<History, 'findWithoutRows'>;
  readonly now: Instant;
  /** Is asked for what is not kept; absent where nothing may be asked. */
  readonly archive?: OnDemandStates | null;
}

/** One side of a comparison of a panel, as it was found. */
export interface FoundSide {
  readonly catalogue: string;
  /** The version; the newest one is that to which the events after the reading led. */
  readonly summary: VersionSummary;
  /** The time for which it speaks: of the reading, or of the last event after it. */
  readonly asOf: Instant;
  /** Whether events after the reading changed it. */
  readonly isChanged: boolean;
  /** Of the signed-off version. */
  readonly signOff: SignOff | null;
  /** Where a version began after the newest state was read, that version and the one that was read: events alone show what it holds. */
  readonly later: { readonly began: string; readonly read: string } | null;
}

/** A side with what it holds. */
export interface ReadSide extends FoundSide {
  readonly contents: PanelContents;
}

/** Why a side is unknown: a sentence. `isNone`: it is known that the panel has no such state. */
interface UnknownSide {
  readonly why: string;
  readonly isNone?: boolean;
}

/**
 * Reads one side of a comparison.
 * @param known `signOffs`: those of the panel, where they were read already; `next`: the version after `previous`
 * @throws {HistoryError | StateError | CatalogueError} when it cannot be read
 */
export async function readSide(
  panelId: number,
  side: Side,
  place: SidePlace,
  {
    signOffs,
    next,
  }: { readonly signOffs?: readonly SignOff[]; readonly next?: VersionSummary | undefined } = {},
): Promise<ReadSide | UnknownSide> {
  const { catalogue, states, archive, now } = place;
  const hint = archive
    ? 'The catalogue keeps no archive of it.'
    : 'Give --catalogue URL to ask the catalogue.';
  const asFound = ({ state, isChanged, asOf }: StateSince, signOff: SignOff | null = null): ReadSide => ({
    ...{ catalogue, summary: summaryOf(state), contents: contentsOf(state), signOff },
    ...{ asOf, isChanged, later: null },
  });
  const asRead = (state: VersionState): StateSince => ({ state, isChanged: false, asOf: shownAt(state) });
  const orAsked = (held: StateSince | null, asked: VersionState | null | undefined): StateSince | null =>
    held ?? (asked ? asRead(asked) : null);
  const readVersion = async (version: string): Promise<StateSince | null> => {
    const held = await heldInVersion(panelId, version, place);
    return orAsked(held, held ? null : await archive?.version(panelId, version));
  };
  switch (side.kind) {
    case 'version': {
      const held = await readVersion(side.version);
      return held ? asFound(held) : { why: `The state of version ${side.version} is not kept. ${hint}` };
    }
    case 'at': {
      const kept = await heldAt(panelId, side.at, place);
      const held = orAsked(kept, kept ? null : await archive?.at(panelId, side.at));
      return held ? asFound(held) : { why: `What it held then is not kept, or its end is unknown. ${hint}` };
    }
    case 'signed-off': {
      const signOff = signedOffAt(signOffs ?? (await states.signOffs(panelId)), now);
      if (!signOff) return { why: 'No version of it is signed off.', isNone: true };
      const held = await readVersion(signOff.version);
      return held
        ? asFound(held, signOff)
        : { why: `The contents of its signed-off version ${signOff.version} are not kept.` };
    }
    case 'newest': {
      const present = await archive?.present(panelId);
      if (present) return asFound(asRead(present));
      const read = await states.newest(panelId);
      if (!read) return { why: 'The contents of the panel have not been read yet.' };
      const began = await versionSince(read, place);
      const later = began === null ? null : { began, read: read.version };
      const { state, isChanged, asOf } = await stateSince(read, place);
      // Where events came after the reading, what holds now begins with the last of them.
      const contents = contentsOf(isChanged ? { ...state, validFrom: asOf } : state);
      return { catalogue, summary: summaryOf(state), contents, asOf, isChanged, later, signOff: null };
    }
    case 'previous': {
      const versions = (await states.versions(panelId)).filter(
        ({ validFrom }) => next !== undefined && validFrom < next.validFrom,
      );
      const last = versions.at(-1);
      const state = last && (await states.read(last));
      return state
        ? asFound(asRead(state))
        : { why: 'No version before it was read, so what it changed is unknown.' };
    }
    default:
      return side satisfies never;
  }
}

const summaryOf = ({ entities: _entities, ...summary }: VersionState): VersionSummary => summary;

/** A difference of two sides, and since when it is so. */
export interface DatedDifference extends EntityDifference {
  readonly since: Since;
}

/** A panel in two states. */
export interface ComparedPanel {
  readonly before: FoundSide;
  readonly after: FoundSide;
  /** By name. */
  readonly differences: readonly DatedDifference[];
}

/** A panel of which one of the two states is unknown. */
export interface UncomparedPanel extends UnknownSide {
  readonly panelId: number;
}

/** Whether both states of a panel were known. */
export const isCompared = (found: ComparedPanel | UncomparedPanel): found is ComparedPanel =>
  !('why' in found);

/**
 * Compares an earlier state of panels of one catalogue with a later one.
 * @throws {HistoryError | StateError | CatalogueError} when they cannot be read
 */
export async function* comparePanels(
  panelIds: Iterable<number>,
  { before, after }: { readonly before: Side; readonly after: Side },
  place: SidePlace,
): AsyncIterable<ComparedPanel | UncomparedPanel> {
  const needsSignOffs = [before, after].some(({ kind }) => kind === 'signed-off');
  const all = Map.groupBy(needsSignOffs ? await place.states.signOffs() : [], ({ panelId }) => panelId);
  for (const panelId of panelIds) {
    const signOffs = all.get(panelId) ?? [];
    // Large states take milliseconds each to unpack: the polls of the same process go on in between.
    await setImmediate();
    const later = await readSide(panelId, after, place, { signOffs });
    const next = 'why' in later ? undefined : later.summary;
    const earlier = await readSide(panelId, before, place, { signOffs, next });
    if ('why' in earlier || 'why' in later) {
      // That a panel has no signed-off version goes before what was not read of it.
      const unknown = 'why' in earlier ? earlier : later;
      if ('why' in unknown) yield { panelId, ...unknown };
      continue;
    }
    const found = differencesOf(earlier.contents, later.contents);
    const since = await sinceDates(found, { state: later, floor: earlier.summary }, place);
    const differences = found.map((one) => ({ ...one, since: since(one) }));
    yield { before: withoutContents(earlier), after: withoutContents(later), differences };
  }
}

/** A side without what it holds, which takes memory. */
export const withoutContents = ({ contents: _contents, ...side }: ReadSide): FoundSide => side;

/**
 * Since when entities are as a side shows them. Of what nothing says more, since the state of the side at the latest.
 * @param trail what the events of the panel say, where they were read already
 * @throws {HistoryError | StateError} when it cannot be read
 */
export async function sinceDates(
  differences: readonly EntityDifference[],
  { state, floor }: { readonly state: ReadSide; readonly floor: VersionSummary | null },
  { catalogue, states, history }: SidePlace,
  trail?: PanelTrail,
): Promise<(difference: EntityDifference) => Since> {
  const { panelId, version } = state.summary;
  const { validFrom } = state.contents;
  const atLatest: Since = { at: validFrom, version, isExact: false };
  if (differences.length === 0) return () => atLatest;
  const begin = floor && floor.validFrom < validFrom ? floor : null;
  const asked = { catalogue, panelId, ...(begin && { since: begin.validFrom }) };
  const byName = Map.groupBy(state.contents.held, entityKey);
  const several = [...byName].flatMap(([key, held]) => (held.length > 1 ? key : []));
  const found = await sinceWhen(
    differences,
    { state: { ...state.summary, validFrom }, floor: begin, severalCalled: new Set(several) },
    { trail: trail ?? (await readPanelTrail(asked, history)), states },
  );
  return ({ entity }) => found.get(identityOf(entity)) ?? atLatest;
}
