import type { Catalogue } from '../catalogue/client.ts';
import { readActivity } from '../catalogue/log-row.ts';
import { timeOf, versionNumbers } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Names } from '../filters/names.ts';
import type { Clock } from '../run/clock.ts';
import { dayOf, formatInstant, type Instant, instantOf, minutes, parseInstant } from '../run/instant.ts';
import {
  type HeldPlace,
  heldAt,
  heldInVersion,
  type PublishedEvents,
  type StateSince,
  stateSince,
  versionSince,
} from './held-at.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { signedOffAt } from './signed-off-at.ts';
import { stateFromDetail } from './state-from-detail.ts';
import type { Proof, SignOff, VersionState } from './version-state.ts';

/** Which state of a panel is asked for. */
export type WantedState =
  | { readonly kind: 'present' }
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'at'; readonly at: Instant; readonly text: string }
  | { readonly kind: 'signed-off'; readonly at: Instant | undefined };

/** The kept states of one catalogue. */
interface KeptStates {
  /** The configured name of the catalogue. */
  readonly catalogue: string;
  readonly store: PanelStateStore;
  /** Whether what the catalogue is asked for can be kept here. */
  readonly keepsStates: boolean;
  /** What was published, which may name versions that are not read yet. */
  readonly history: PublishedEvents;
  /** The names that panels have and had, and entities unless those of panels alone are asked for. */
  names(whose?: 'panels'): Promise<Names>;
}

/** Where states are looked for. */
export interface StatesOf {
  readonly opened: KeptStates;
  /** Is asked for what is not kept; null where nothing may be asked. */
  readonly catalogue: Catalogue | null;
  readonly clock: Pick<Clock, 'now'>;
  /** What a person can do about what is not kept: a sentence; the option of the commands where absent. */
  readonly remedy?: string;
}

/** A state, or why it is unknown. */
type Found =
  | {
      readonly state: VersionState;
      readonly note?: string | undefined;
      /** Why the state is not what the panel holds now, where events show that it has a later version. */
      readonly outdated?: string | undefined;
    }
  | { readonly state: null; readonly why: string };

/**
 * The state of one panel that is asked for, or why it is unknown.
 * @throws {StateError | CatalogueError} when it cannot be read
 */
export async function findState(
  { id }: { readonly id: number; readonly name: string },
  wanted: WantedState,
  of: StatesOf,
): Promise<Found> {
  const { opened, catalogue, clock, remedy = ASK } = of;
  const { store } = opened;
  const archive = catalogue && createOnDemandStates({ catalogue, clock });
  const known = placeOf(opened);
  switch (wanted.kind) {
    case 'present': {
      const read = (await archive?.present(id)) ?? (await store.newest(id));
      if (!read) return { state: null, why: nothingKept(archive !== null, remedy) };
      if (archive) return { state: read };
      const later = await versionSince(read, opened);
      const outdated = later === null ? undefined : notReadYet(later, read, remedy);
      // What rows changed without a new version is no other state; a version that was not read may hold what no row says.
      const { state, isChanged, asOf } = later === null ? await stateSince(read, opened) : unchanged(read);
      const age = isChanged ? withEventsUpTo(state, asOf) : ageOf(state, clock);
      return { state, outdated, note: outdated ? `${state.panelName}: ${outdated}` : age };
    }
    case 'version': {
      const held = await heldInVersion(id, wanted.version, known);
      // What was read before the version ended may lack what came after the reading.
      const asked = held?.state.source === 'archive' ? null : await archive?.version(id, wanted.version);
      const state = await kept(opened, asked);
      if (state) return { state };
      if (!held) return { state: null, why: versionMissing(wanted.version, archive !== null, remedy) };
      return withNote(held);
    }
    case 'at': {
      const held = await heldAt(id, wanted.at, known);
      const state = held?.state ?? (await kept(opened, await archive?.at(id, wanted.at)));
      if (!state) return { state: null, why: timeMissing(wanted.at, archive !== null, remedy) };
      const age = held?.isChanged ? withEventsUpTo(state, held.asOf) : undefined;
      return { state, note: age ?? changeOnThatDay(state, held?.later ?? [], wanted) };
    }
    case 'signed-off':
      return signedOffState(id, wanted.at, { ...of, archive });
    default:
      return wanted satisfies never;
  }
}

const withNote = ({ state, isChanged, asOf }: StateSince): Found => ({
  state,
  note: isChanged ? withEventsUpTo(state, asOf) : undefined,
});

const placeOf = ({ catalogue, store: states, history }: KeptStates): HeldPlace<'newest' | 'find' | 'at'> => ({
  catalogue,
  states,
  history,
});

/**
 * Keeps a state of the archive, which never changes, so that it is asked for once. A panel that the baseline has not read
 * yet is left to it.
 */
async function kept(
  { store, keepsStates }: KeptStates,
  state: VersionState | null | undefined,
): Promise<VersionState | null> {
  if (!state || !keepsStates || state.source !== 'archive') return state ?? null;
  const newest = (await store.versions(state.panelId)).at(-1);
  if (newest && newest.validFrom > state.validFrom) await store.save(state);
  return state;
}

async function signedOffState(
  id: number,
  at: Instant | undefined,
  { opened, catalogue, clock, archive, remedy = ASK }: StatesOf & { readonly archive: OnDemandStates | null },
): Promise<Found> {
  const known = await knownSignOffs(id, { opened, catalogue, clock });
  const signOff = signedOffAt(known, at ?? instantOf(clock.now()));
  if (!signOff) {
    const when = at === undefined ? 'is signed off' : `was signed off on ${dayOf(at)}`;
    const hint = catalogue ? '' : ` ${remedy}`;
    return { state: null, why: `As far as the kept list of sign-offs goes, no version ${when}.${hint}` };
  }
  const { version, date } = signOff;
  const held = await heldInVersion(id, version, placeOf(opened));
  const state = held?.state ?? (await kept(opened, await archive?.version(id, version)));
  return state
    ? { state, note: `${state.panelName}: version ${version} was signed off on ${date}.` }
    : {
        state: null,
        why: `Version ${version} was signed off on ${date}. ${versionMissing(version, archive !== null, remedy)}`,
      };
}

/**
 * The sign-offs of a panel that are kept; where none is, those that the catalogue lists now.
 * @throws {StateError | CatalogueError} when they cannot be read
 */
export async function knownSignOffs(
  id: number,
  { opened, catalogue, clock }: StatesOf,
): Promise<readonly SignOff[]> {
  const stored = await opened.store.signOffs(id);
  if (!catalogue || stored.length > 0) return stored;
  return listedSignOffs(id, catalogue, instantOf(clock.now()));
}

async function listedSignOffs(id: number, catalogue: Catalogue, now: Instant): Promise<readonly SignOff[]> {
  const { items } = await catalogue.signedOff();
  return items
    .filter((item) => item.id === id)
    .map(({ name, version, signed_off }) => ({
      panelId: id,
      panelName: name,
      version,
      date: signed_off,
      listedAt: now,
      removedAt: null,
    }));
}

const ASK = 'Give --catalogue URL to ask the catalogue.';

const nothingKept = (wasAsked: boolean, remedy: string): string =>
  wasAsked ? 'The catalogue does not show this panel.' : `No state of it is kept. ${remedy}`;

const notReadYet = (later: string, { version }: VersionState, remedy: string): string =>
  `Version ${later} has not been read yet: the newest state that is kept is of version ${version}. ${remedy}`;

const versionMissing = (version: string, wasAsked: boolean, remedy: string): string =>
  wasAsked
    ? `The catalogue keeps no archive of version ${version}.`
    : `The state of version ${version} is not kept. ${remedy}`;

const timeMissing = (at: Instant, wasAsked: boolean, remedy: string): string =>
  wasAsked
    ? `The archive of the catalogue does not show which version it had at ${dayOf(at)}.`
    : `No state of ${dayOf(at)} is kept, or its end is unknown. ${remedy}`;

const ageOf = ({ panelName, readAt }: VersionState, clock: Pick<Clock, 'now'>): string | undefined =>
  instantOf(clock.now()) - readAt > minutes(60)
    ? `${panelName}: as it was read at ${formatInstant(readAt)}; it may have changed since. Give --catalogue URL to read it now.`
    : undefined;

const unchanged = (state: VersionState) => ({ state, isChanged: false, asOf: state.readAt });

const withEventsUpTo = ({ panelName, readAt }: VersionState, asOf: Instant): string =>
  `${panelName}: as it was read at ${formatInstant(readAt)}, with what events state up to ${formatInstant(asOf)}. Give --catalogue URL to read it now.`;

const DAY = minutes(24 * 60);

/** A day without a time of day is its first moment; the panel may have changed later on it. */
function changeOnThatDay(
  { panelName, version, validTo }: VersionState,
  later: readonly PanelEvent[],
  { at, text }: { readonly at: Instant; readonly text: string },
): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const then = 'Give a time of day to --at for what followed.';
  const [first, ...others] = later.filter((event) => timeOf(event) < at + DAY);
  if (first)
    return `${panelName}: ${namesIn([first, ...others])} changed on that day in version ${version}, first at ${formatInstant(timeOf(first))}. ${then}`;
  if (validTo === null || validTo >= at + DAY) return undefined;
  return `${panelName}: version ${version} ended on that day, at ${formatInstant(validTo)}. ${then}`;
}

const MOST_NAMED = 10;

function namesIn(events: readonly PanelEvent[]): string {
  const names = [...new Set(events.flatMap(({ data }) => data.entity?.name ?? []))];
  return names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')} and others` : names.join(', ');
}

interface OnDemandOptions {
  readonly catalogue: Pick<Catalogue, 'panelDetail' | 'panelRows'>;
  readonly clock: Pick<Clock, 'now'>;
}

const proof: Proof = { kind: 'unproven', why: 'it was read on demand, and not compared with the log' };

/** So many versions without a row are followed, one request each. */
const MOST_STEPS = 50;

/** Reads what panels held from the catalogue, where a person asks for a state that is not kept. */
export type OnDemandStates = ReturnType<typeof createOnDemandStates>;

/** @throws {CatalogueError} from every method, when the catalogue cannot be read */
export function createOnDemandStates({ catalogue, clock }: OnDemandOptions) {
  const read = async (
    panelId: number,
    source: VersionState['source'],
    version?: string,
  ): Promise<VersionState | null> => {
    const detail = await catalogue.panelDetail(panelId, version);
    return detail && stateFromDetail(detail, { source, readAt: instantOf(clock.now()), proof });
  };
  /** The panel as it is now; null where the catalogue does not show it. */
  const present = (panelId: number): Promise<VersionState | null> => read(panelId, 'present');

  /** What the panel held at the end of a version, or holds now; null where the catalogue keeps no archive of it. */
  const version = async (panelId: number, wanted: string): Promise<VersionState | null> => {
    const now = await present(panelId);
    return now?.version === wanted ? now : read(panelId, 'archive', wanted);
  };

  return {
    present,
    version,
    /** The version that a panel had at an instant; null where the catalogue does not show it. */
    async at(panelId: number, instant: Instant): Promise<VersionState | null> {
      const now = await present(panelId);
      if (!now) return null;
      if (instant >= now.validFrom) return instant <= now.readAt ? now : null;
      const stated = await statedVersions(catalogue, panelId);
      const begun = stated.findLast(({ at }) => at <= instant)?.version;
      const readNumber = (number: string): Promise<VersionState | null> =>
        number === now.version ? Promise.resolve(now) : read(panelId, 'archive', number);
      let state = begun === undefined ? null : await readNumber(begun);
      for (let steps = 0; state && state.validFrom <= instant && steps < MOST_STEPS; steps += 1) {
        const after = await following(state, stated, readNumber);
        if (!after) return null;
        if (after.validFrom > instant) return { ...state, validTo: after.validFrom };
        state = after;
      }
      return null;
    },
  };
}

/** A version that a row states, and when the row was written. */
interface StatedVersion {
  readonly at: Instant;
  readonly version: string;
}

/**
 * The state of the version after another one; null where it is unknown which version that was: the catalogue keeps no
 * archive of the next number, and a row states that there was one.
 */
async function following(
  { version }: VersionState,
  stated: readonly StatedVersion[],
  read: (version: string) => Promise<VersionState | null>,
): Promise<VersionState | null> {
  const [major, minor] = versionNumbers(version) ?? [0, 0];
  const next = await read(`${major}.${minor + 1}`);
  if (next) return next;
  const hadAnother = stated.some((one) => {
    const numbers = versionNumbers(one.version);
    return numbers?.[0] === major && numbers[1] > minor;
  });
  return hadAnother ? null : read(`${major + 1}.0`);
}

/** The versions that the rows of a panel state, oldest first; versions may begin without a row. */
async function statedVersions(
  catalogue: Pick<Catalogue, 'panelRows'>,
  panelId: number,
): Promise<readonly StatedVersion[]> {
  const rows = (await catalogue.panelRows(panelId)) ?? [];
  const stated = rows.flatMap((row): readonly StatedVersion[] => {
    const read = readActivity(row);
    const at = read.ok ? parseInstant(read.activity.created) : null;
    return read.ok && at !== null && read.activity.panel_version !== null
      ? [{ at, version: read.activity.panel_version }]
      : [];
  });
  return stated.toSorted((one, other) => (one.at < other.at ? -1 : 1));
}
