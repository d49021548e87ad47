import * as z from 'zod';
import { isFoundBy } from '../differences/difference.ts';
import { isDisagreement } from '../events/kinds.ts';
import { versionsBetween } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { DAY_MS } from '../run/clock.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { Snapshot } from './listed.ts';
import type { SweepRun } from './sweep-report.ts';

/**
 * Counts once a day the versions of panels since the baseline, and how many of them have a row of the log or an event
 * of a sweep (docs/sweep.md, "How complete it is").
 */

const countedPanelSchema = z.lazy(() =>
  z.object({
    id: z.number(),
    /** The version up to which the panel's versions were counted. */
    version: z.string(),
    /** When it had that version, in milliseconds since the epoch. */
    at: z.number(),
  }),
);

const unexplainedSchema = z.lazy(() =>
  z.object({
    panel: z.number(),
    name: z.string(),
    version: z.string(),
    /** The panel's row or event is looked for since then, in milliseconds since the epoch. */
    since: z.number(),
  }),
);

export const completenessSchema = z.object({
  /** When the baseline was set, and when versions were counted last, in milliseconds since the epoch. */
  since: z.number(),
  at: z.number(),
  /** Versions since the baseline. */
  versions: z.number(),
  /** Of these, versions that have a row or an event of a sweep. */
  explained: z.number(),
  /** The last ones that have neither. */
  unexplained: z.array(unexplainedSchema),
  panels: z.array(countedPanelSchema),
});
/** How many versions of panels have a row of the log or an event of a sweep. */
type Completeness = z.infer<typeof completenessSchema>;

/** How long before the last count of a panel the row of a version may be dated, in milliseconds. */
const LATE_MS = 7 * DAY_MS;

/** How long a version without a row is looked up again, in milliseconds: its row may still show up. */
const LOOKED_UP_MS = 30 * DAY_MS;

/** The most versions without a row that are kept by name. */
const MOST_KEPT = 100;

/** The share of versions that have a row or an event of a sweep, in percent; 100 where there was none. */
export function percentOf({ versions, explained }: Pick<Completeness, 'versions' | 'explained'>): number {
  return versions === 0 ? 100 : (100 * explained) / versions;
}

/** Whether a day has passed since the last count. */
export function isCountDue(before: Completeness | undefined, listedAt: number): boolean {
  return !before || listedAt - before.at >= DAY_MS;
}

interface Counting {
  /** Undefined before the first count, which only stores the versions. */
  readonly before: Completeness | undefined;
  /** Panels as listed now. */
  readonly snapshot: Snapshot;
  readonly catalogue: string;
  readonly history: Pick<History, 'find'>;
}

/** Counts the versions since the last count. It reads the history of the panels that have a new version. */
async function countVersions({ before, snapshot, ...from }: Counting): Promise<Completeness> {
  const at = snapshot.listedAt;
  const counted = new Map(before?.panels.map((panel) => [panel.id, panel]));
  const open = (before?.unexplained ?? []).filter(({ since }) => at - since < LOOKED_UP_MS);
  const closed = (before?.unexplained ?? []).filter(({ since }) => at - since >= LOOKED_UP_MS);
  let versions = before?.versions ?? 0;
  for (const { panel, lastListedAt } of snapshot.panels.values()) {
    const known = counted.get(panel.id);
    // The versions of a hidden panel are counted when it comes back.
    if (lastListedAt !== undefined) continue;
    if (known?.version === panel.version) continue;
    const added = known ? versionsBetween(known.version, panel.version) : [];
    const since = known?.at ?? at;
    versions += added.length;
    open.push(...added.map((version) => ({ panel: panel.id, name: panel.name, version, since })));
    counted.set(panel.id, { id: panel.id, version: panel.version, at });
  }
  const unexplained: Completeness['unexplained'] = [];
  for (const [panel, wanted] of Map.groupBy(open, (one) => one.panel)) {
    const stated = await statedVersions(panel, Math.min(...wanted.map(({ since }) => since)), from);
    unexplained.push(...wanted.filter(({ version }) => !stated.has(version)));
  }
  const lost = before ? before.versions - before.explained - before.unexplained.length : 0;
  return {
    since: before?.since ?? at,
    at,
    versions,
    explained: versions - lost - closed.length - unexplained.length,
    unexplained: [...closed, ...unexplained].slice(-MOST_KEPT),
    panels: [...counted.values()],
  };
}

/** The versions of a panel that a row of the log names, or that an event of a sweep covers. */
async function statedVersions(
  panel: number,
  since: number,
  { catalogue, history }: Pick<Counting, 'catalogue' | 'history'>,
): Promise<ReadonlySet<string>> {
  const from: Instant = instantOf(since - LATE_MS);
  const stated = new Set<string>();
  const events = history.find({ catalogue, since: from, filter: { panels: [panel] }, order: 'oldest' });
  for await (const event of events)
    if (!isDisagreement(event)) for (const version of versionsOf(event)) stated.add(version);
  return stated;
}

function versionsOf({ data: { change, panel, activities } }: PanelEvent): readonly string[] {
  if (isFoundBy('listing', change)) {
    if ('previousVersion' in change) return versionsBetween(change.previousVersion ?? '', change.version);
    if (!('changes' in change)) return [];
    return change.changes.flatMap(({ field, from, to }) =>
      field === 'version' ? versionsBetween(String(from), String(to)) : [],
    );
  }
  const ofRows = activities.flatMap((row) =>
    typeof row.panel_version === 'string' ? [row.panel_version] : [],
  );
  return panel?.version ? [panel.version, ...ofRows] : ofRows;
}

/**
 * Counts, once a day, the panel versions that have a row of the log or an event of a sweep, and logs those that lack
 * both. Returns the last count where none is due.
 */
export async function countIfDue(
  before: Completeness | undefined,
  snapshot: Snapshot,
  { name: catalogue, history, log, report }: SweepRun,
): Promise<Completeness | undefined> {
  if (!isCountDue(before, snapshot.listedAt)) return before;
  const counted = await countVersions({ before, snapshot, catalogue, history });
  report.note({ completeness: { versions: counted.versions, explained: counted.explained } });
  const known = new Set(before?.unexplained.map(({ panel, version }) => `${panel} ${version}`));
  const unexplained = counted.unexplained.filter(({ panel, version }) => !known.has(`${panel} ${version}`));
  if (unexplained.length > 0) {
    log.info('Panels went through versions that have no row and no event of a sweep', {
      versions: unexplained.map(({ name, version }) => `${name} ${version}`),
    });
  }
  return counted;
}
