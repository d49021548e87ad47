import { hash } from 'node:crypto';
import { type Difference, isSilent } from '../differences/difference.ts';
import { isBeforeVersion } from '../events/order.ts';
import { parseInstant } from '../run/instant.ts';
import type { ComparedListings } from './differences-of.ts';
import { type KnownPanel, type ListedPanel, listedIn, type Snapshot } from './listed.ts';
import type { MassChange, Refusal, SweepReport, SweepRun } from './sweep-report.ts';
import { type HeldChange, type StoredSweep, saveSweep } from './sweep-state.ts';

/** The refusals of a listing that a person can accept nevertheless. */
export const acceptable: ReadonlySet<Refusal> = new Set([
  'shrunken',
  'renumbered',
  'mass-change',
  'outdated',
]);

/**
 * Why a listing cannot be trusted: it was not read to its end, is empty, or lacks many of the panels or regions that the
 * last one had, by their ids. Null where it can be trusted.
 */
export function refusalOf(
  { stored: { snapshot: before }, listings: { complete, panels, regionCount } }: ComparedListings,
  shrunkenPercent: number,
): Refusal | null {
  if (!complete) return 'incomplete';
  const known = listedIn(before);
  if (panels.length === 0 && known.length > 0) return 'empty';
  const shrunken = (now: number, then: number): boolean =>
    then - now > LONE_PANELS && now < then * (1 - shrunkenPercent / 100);
  const ids = new Set(panels.map(({ id }) => id));
  const missing = known.filter(({ panel }) => !ids.has(panel.id));
  const knownRegions = known.reduce((sum, panel) => sum + panel.regions.length, 0);
  const lost = shrunken(known.length - missing.length, known.length);
  if (lost && areRenumbered(missing, panels, before)) return 'renumbered';
  return lost || shrunken(regionCount, knownRegions) ? 'shrunken' : null;
}

/** A listing may lose this many panels or regions: in a small catalogue, they are many in percent. */
const LONE_PANELS = 3;

/** Whether most of the missing panels are listed by the same name under another id, which no panel had before. */
function areRenumbered(
  missing: readonly KnownPanel[],
  panels: readonly ListedPanel[],
  before: Snapshot,
): boolean {
  const names = new Set(panels.filter(({ id }) => !before.panels.has(id)).map(({ name }) => name));
  const found = missing.filter(({ panel }) => names.has(panel.name));
  return found.length * 2 > missing.length;
}

/**
 * A listing that lies shows the same kind of change on many panels at once. Such changes wait until a later sweep sees
 * them again, or until a person accepts them.
 */

/** In milliseconds: a sweep that sees the same changes this much later confirms them. */
const CONFIRMED_AFTER_MS = 60 * 60 * 1000;

/**
 * The panels whose listed version began before the one that was listed earlier, or before a row of a higher one: the listing is an
 * old one, unless a later sweep sees the same. A panel that is set back gets a version that begins then.
 */
function olderVersions({ stored, listings }: ComparedListings): Waiting {
  const { panels, events, listedAt } = listings;
  const older = panels.filter(({ id, version, versionCreated }) => {
    const known = stored.snapshot.panels.get(id)?.panel.versionCreated;
    const [now, then] = [parseInstant(versionCreated), parseInstant(known ?? '')];
    if (now === null) return false;
    return (
      (then !== null && now < then) ||
      (events.get(id) ?? []).some(
        ({ event: { time, data } }) =>
          !isSilent(data.change) &&
          isBeforeVersion(version, data.panel?.version ?? null) &&
          (parseInstant(time) ?? 0n) > now,
      )
    );
  });
  const since = firstSeen(stored, listedAt);
  const seen = older.map(({ id, versionCreated }): HeldChange => {
    const place = { kind: 'version_created', panel: id, what: versionCreated };
    return { ...place, since: since(place) };
  });
  const isWaiting = seen.some((one) => listedAt - one.since < CONFIRMED_AFTER_MS);
  return { changes: isWaiting ? [{ kind: 'version_created', panels: seen.length }] : [], held: seen };
}

/** So many panels may have the same kind of change in any catalogue: in a small one they are many in percent. */
const MOST_PANELS = 10;

interface FoundPanel {
  readonly id: number;
  readonly differences: readonly Difference[];
}

/** What waits after a sweep: nothing where `changes` is empty. */
interface Waiting {
  readonly changes: readonly MassChange[];
  /** What the next sweep compares with. */
  readonly held: readonly HeldChange[];
}

/** The kinds of change that too many panels have and that no sweep at least an hour earlier saw. */
function waitingChanges(
  found: readonly FoundPanel[],
  { stored, listings: { listedAt } }: ComparedListings,
  percent: number,
): Waiting {
  const most = Math.max(MOST_PANELS, Math.floor((listedIn(stored.snapshot).length * percent) / 100));
  const since = firstSeen(stored, listedAt);
  const all = found.flatMap(({ id, differences }) =>
    differences.flatMap((difference) => partsOf(difference).map((part) => ({ panel: id, ...part }))),
  );
  const large = [...Map.groupBy(all, ({ kind }) => kind)].filter(([, parts]) => panelsIn(parts) > most);
  const seen = large.map(([kind, parts]) => ({
    kind,
    parts: parts.map((part) => ({ ...part, since: since(part) })),
  }));
  const changes = seen.flatMap(({ kind, parts }): readonly MassChange[] => {
    const unconfirmed = parts.filter((part) => listedAt - part.since < CONFIRMED_AFTER_MS);
    return panelsIn(unconfirmed) > most ? [{ kind, panels: panelsIn(parts) }] : [];
  });
  return { changes, held: seen.flatMap(({ parts }) => parts) };
}

/** When a sweep saw a change first, this one included. */
function firstSeen(
  { held = [] }: StoredSweep,
  listedAt: number,
): (change: Omit<HeldChange, 'since'>) => number {
  const earlier = new Map(held.map((one) => [placeOf(one), one.since]));
  return (change) => earlier.get(placeOf(change)) ?? listedAt;
}

const placeOf = ({ kind, panel, what }: Omit<HeldChange, 'since'>): string => `${kind} ${panel} ${what}`;

const panelsIn = (parts: readonly { readonly panel: number }[]): number =>
  new Set(parts.map(({ panel }) => panel)).size;

/** The kinds of a difference, each with a digest of its change: a list of changes has one for each field. */
function partsOf({ kind, change, entity }: Difference): readonly Pick<HeldChange, 'kind' | 'what'>[] {
  const digest = (value: unknown): string =>
    hash('sha256', JSON.stringify([entity?.name ?? null, value]), 'hex').slice(0, 16);
  if (!('changes' in change)) return [{ kind, what: digest(change) }];
  return change.changes.map((one) => ({ kind: `${kind} ${one.field}`, what: digest(one) }));
}

/**
 * Ends a sweep in which too many panels have the same kind of change, or which lists a version that began before the one that was listed
 * earlier, unless a sweep at least an hour earlier saw the same, or a person accepts it. Undefined where the sweep goes on. The stored listing stays, so that nothing is lost.
 */
export async function waitForLaterSweep(
  found: readonly FoundPanel[],
  compared: ComparedListings,
  run: SweepRun,
): Promise<SweepReport | undefined> {
  if (run.accept) return undefined;
  const { stored, listings } = compared;
  // A new panel with rows of the log is no invention of the listing.
  const hasRows = (id: number): boolean =>
    (listings.events.get(id) ?? []).some(({ event }) => !isSilent(event.data.change));
  const invented = found.filter(({ id }) => stored.snapshot.panels.has(id) || !hasRows(id));
  const { changes, held } = waitingChanges(invented, compared, run.sameChangePercent);
  const older = olderVersions(compared);
  if (changes.length + older.changes.length === 0) return undefined;
  await saveSweep(run.documents, { ...stored, held: [...held, ...older.held] });
  if (older.changes.length > 0) {
    run.log.warn(
      'The listing of the panels shows versions that began before those that were listed; nothing is published until a sweep an hour later sees the same, or a person accepts it',
      { panels: older.held.map(({ panel }) => panel) },
    );
    return run.report.end('refused', 'outdated', older.changes);
  }
  run.log.warn(
    'Many panels have the same kind of change without a row; nothing is published until a sweep an hour later sees the same, or a person accepts it',
    { changes, panels: listedIn(stored.snapshot).length },
  );
  return run.report.end('refused', 'mass-change', changes);
}
