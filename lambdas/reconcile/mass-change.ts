import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Difference, isSilent } from '../differences/difference.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import { parseInstant } from '../run/instant.ts';
import type { ListedPanel, Snapshot } from './listed.ts';
import type { EventsByPanel } from './published-events.ts';

/**
 * A listing that lies shows the same kind of change on many panels at once. Such changes wait until a later sweep sees
 * them again, or until a person accepts them.
 */

const heldChangeSchema = z.lazy(() =>
  z.object({
    kind: z.string(),
    panel: z.number(),
    /** Digest of the change. */
    what: z.string(),
    /** When a sweep saw it first, in milliseconds since the epoch. */
    since: z.number(),
  }),
);
export const heldChangesSchema = z.lazy(() => z.array(heldChangeSchema));
/** A change that waits, because many panels have one of its kind. */
export type HeldChange = z.infer<typeof heldChangeSchema>;

/** How many panels have a change of one kind, such as `panel.changed types`. */
export interface MassChange {
  readonly kind: string;
  readonly panels: number;
}

/** In milliseconds: a sweep that sees the same changes this much later confirms them. */
const CONFIRMED_AFTER_MS = 60 * 60 * 1000;

interface Relisted {
  readonly panels: readonly ListedPanel[];
  readonly before: Snapshot;
  /** Events that were published before the listing was read. */
  readonly events: EventsByPanel;
  readonly held: readonly HeldChange[];
  readonly listedAt: number;
}

/**
 * The panels whose listed version began before the one that was listed earlier, or before a row of a higher one: the listing is an
 * old one, unless a later sweep sees the same. A panel that is set back gets a version that begins then.
 */
export function olderVersions({ panels, before, events, held, listedAt }: Relisted): Waiting {
  const older = panels.filter(({ id, version, versionCreated }) => {
    const known = before.panels.get(id)?.panel.versionCreated;
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
  const since = firstSeen(held, listedAt);
  const seen = older.map(({ id, versionCreated }): HeldChange => {
    const place = { kind: 'version_created', panel: id, what: versionCreated };
    return { ...place, since: since(place) };
  });
  const isWaiting = seen.some((one) => listedAt - one.since < CONFIRMED_AFTER_MS);
  return { changes: isWaiting ? [{ kind: 'version_created', panels: seen.length }] : [], held: seen };
}

/** So many panels may have the same kind of change in any catalogue: in a small one they are many in percent. */
const MOST_PANELS = 10;

interface Examined {
  /** What would be published, by panel. */
  readonly found: readonly { readonly id: number; readonly differences: readonly Difference[] }[];
  /** Panels of the stored listing. */
  readonly panels: number;
  /** The share of panels that may have the same kind of change. */
  readonly percent: number;
  readonly held: readonly HeldChange[];
  /** When the listings were read, in milliseconds since the epoch. */
  readonly listedAt: number;
}

/** What waits after a sweep: nothing where `changes` is empty. */
interface Waiting {
  readonly changes: readonly MassChange[];
  /** What the next sweep compares with. */
  readonly held: readonly HeldChange[];
}

/** The kinds of change that too many panels have and that no sweep at least an hour earlier saw. */
export function waitingChanges({ found, panels, percent, held, listedAt }: Examined): Waiting {
  const most = Math.max(MOST_PANELS, Math.floor((panels * percent) / 100));
  const since = firstSeen(held, listedAt);
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
  held: readonly HeldChange[],
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
