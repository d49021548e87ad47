import { formatInstant, type Instant } from '../clock/instant.ts';
import { rCodesIn } from '../events/r-codes.ts';
import { daysSince, type LagEntry, type PanelLag, type SignOffLag } from './read-lag.ts';

/** The names of the columns, in their order. */
export const lagColumns = [
  'what',
  'catalogue',
  'panelId',
  'panelName',
  'rCodes',
  'signedOffVersion',
  'signedOffDate',
  'workingVersion',
  'type',
  'name',
  'hgncId',
  'ratingSignedOff',
  'ratingNow',
  'since',
  'sinceVersion',
  'sinceIsExact',
  'days',
] as const;

/** One entity that counts otherwise in the signed-off version than now. */
export type LagRow = Readonly<
  Record<(typeof lagColumns)[number], string | number | boolean | null | readonly string[]>
>;

/** The orders in which rows can be listed. */
export const lagOrders = ['age', 'panel'] as const;
type LagOrder = (typeof lagOrders)[number];

/** One row for each entity: what is no longer green first, because it still counts as green. */
export function lagRows(
  { panels }: SignOffLag,
  { catalogue, now, order }: { readonly catalogue: string; readonly now: Instant; readonly order: LagOrder },
): readonly LagRow[] {
  const rowsOf = (list: 'downgraded' | 'awaiting'): readonly LagRow[] => {
    const entries = panels.flatMap((panel) => panel[list].map((entry) => ({ panel, entry })));
    const sorted =
      order === 'panel'
        ? entries
        : entries.toSorted((one, other) => (one.entry.since.at < other.entry.since.at ? -1 : 1));
    return sorted.map(({ panel, entry }) => rowOf(whatWords[list], panel, entry, { catalogue, now }));
  };
  return [...rowsOf('downgraded'), ...rowsOf('awaiting')];
}

const whatWords = {
  downgraded: 'signed off as green, no longer green',
  awaiting: 'green, not signed off yet',
} as const;

function rowOf(
  what: string,
  { signOff, working }: PanelLag,
  { entity, signedOff, working: rating, since }: LagEntry,
  { catalogue, now }: { readonly catalogue: string; readonly now: Instant },
): LagRow {
  return {
    what,
    catalogue,
    panelId: working.panelId,
    panelName: working.panelName,
    rCodes: rCodesIn(working.relevantDisorders),
    signedOffVersion: signOff.version,
    signedOffDate: signOff.date,
    workingVersion: working.version,
    type: entity.type,
    name: entity.name,
    hgncId: entity.hgncId,
    ratingSignedOff: signedOff,
    ratingNow: rating,
    since: formatInstant(since.at),
    sinceVersion: since.version,
    sinceIsExact: since.isExact,
    days: daysSince(since.at, now),
  };
}
