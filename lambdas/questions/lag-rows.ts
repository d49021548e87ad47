import { rCodesIn } from '../events/r-codes.ts';
import { daysSince, type LagEntry, type PanelLag, type SignOffLag } from '../panels/read-lag.ts';
import { formatInstant, type Instant } from '../run/instant.ts';

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
  'inheritanceSignedOff',
  'inheritanceNow',
  'since',
  'sinceVersion',
  'sinceIsExact',
  'days',
  'asOf',
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
  const rowsOf = (list: LagList): readonly LagRow[] => {
    const entries = panels.flatMap((panel) => panel[list].map((entry) => ({ panel, entry })));
    const sorted =
      order === 'panel'
        ? entries
        : entries.toSorted((one, other) => (one.entry.since.at < other.entry.since.at ? -1 : 1));
    return sorted.map(({ panel, entry }) => rowOf(whatWords[list], panel, entry, { catalogue, now }));
  };
  return lagLists.flatMap(rowsOf);
}

/** The lists of what waits for a sign-off, in their order. */
export const lagLists = ['downgraded', 'awaiting', 'inheritance'] as const;
export type LagList = (typeof lagLists)[number];

const whatWords = {
  downgraded: 'signed off as green, no longer green',
  awaiting: 'green, not signed off yet',
  inheritance: 'green in both, mode of inheritance changed',
} as const;

function rowOf(
  what: string,
  { signOff, working, asOf }: PanelLag,
  { entity, signedOff, working: rating, since, modes }: LagEntry,
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
    inheritanceSignedOff: modes?.signedOff ?? null,
    inheritanceNow: modes?.working ?? null,
    since: formatInstant(since.at),
    sinceVersion: since.version,
    sinceIsExact: since.isExact,
    days: daysSince(since.at, now),
    asOf: formatInstant(asOf),
  };
}
