import * as z from 'zod';
import type { SignedOffPanel } from '../catalogue/schemas.ts';
import { isBeforeVersion, versionNumbers } from '../events/order.ts';
import { formatInstant, type Instant, minutes } from '../run/instant.ts';
import { type Documents, recordDocument } from '../store/documents.ts';
import type { Listing } from '../store/listing.ts';
import { messageSchema } from '../store/packed.ts';
import { goesBack, isUncertain, type SignOffChange } from './signed-off-at.ts';
import { signOffSchema } from './version-state.ts';

/**
 * The list of signed-off versions may lie: empty, halved, with days and versions that cannot be, or of other panels. What it
 * shows without a row of the log is held against these rules before anything is published.
 */

/** A sign-off that goes back, another one of the same day, or one of many, is published once a reading so much later shows the same. */
const CONFIRMED_AFTER: Instant = minutes(60);

/** So many panels may lose their sign-off at once in any catalogue: in a small one they are many in percent. */
const LONE_PANELS = 3;
/** So many panels may be signed off at once in any catalogue without a row. */
const MOST_PANELS = 10;

/** A sign-off for a day further ahead is not believed. */
const LONGEST_AHEAD: Instant = minutes(366 * 24 * 60);

const realDay = z.lazy(() => z.iso.date());

interface ReadList {
  readonly listed: readonly SignedOffPanel[];
  /** The panels as they are listed now; null where no listing was read. */
  readonly listing: Pick<Listing, 'panels'> | null;
  /** Versions that panels have had, beside those of the listing. */
  readonly reached?: ReadonlyMap<number, readonly (string | null)[]>;
  readonly at: Instant;
}

/** The panels with an entry that cannot be true: a day that does not exist or is years ahead, a version that the panel has not had. */
export function impossiblePanels({ listed, listing, reached, at }: ReadList): ReadonlySet<number> {
  const lastDay = formatInstant(at + LONGEST_AHEAD).slice(0, 10);
  const isPossible = ({ id, version, signed_off: day }: SignedOffPanel): boolean => {
    if (!realDay.safeParse(day).success || day > lastDay || !versionNumbers(version)) return false;
    const listedVersions = (listing?.panels.get(id)?.versions ?? []).map((one) => one.version);
    const known = [...listedVersions, ...(reached?.get(id) ?? [])].filter((one) => one !== null);
    return known.length === 0 || known.some((one) => !isBeforeVersion(one, version));
  };
  return new Set(listed.flatMap((one) => (isPossible(one) ? [] : [one.id])));
}

const heldSignOffSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    /** What the list shows: version and day, or nothing. */
    what: z.string(),
    /** When a reading showed it first, in microseconds since 1970. */
    since: z.string().regex(/^\d+$/),
  }),
);
/** A change that waits for a second reading. */
type HeldSignOff = z.infer<typeof heldSignOffSchema>;

interface Examined {
  /** What the list shows, and no event states. */
  readonly changes: readonly SignOffChange[];
  /** How many panels have an entry that cannot be true. */
  readonly impossible: number;
  /** Panels with a sign-off that counts, as far as they are known. */
  readonly signedOff: number;
  /** The share of them that may change at once without a row. */
  readonly percent: number;
}

/**
 * Whether a list is not trusted at all: more panels than a set share lost their sign-off, got an earlier one, or have an entry
 * that cannot be true.
 */
export function isRefused({ changes, impossible, signedOff, percent }: Examined): boolean {
  const lost = changes.filter(goesBack).length + impossible;
  return lost > Math.max(LONE_PANELS, (signedOff * percent) / 100);
}

/**
 * The changes that show what the first reading lacked: sign-offs of days before it, on so many panels that it was no better than
 * this one. They are kept and not published. What was signed off since the first reading is published as ever.
 * @param firstReadAt milliseconds since the epoch
 */
export function missedByFirst(
  changes: readonly SignOffChange[],
  firstReadAt: number,
): ReadonlySet<SignOffChange> {
  const day = new Date(firstReadAt).toISOString().slice(0, 10);
  const older = changes.filter(({ now }) => now !== null && now.date < day);
  return new Set(older.length > LONE_PANELS ? older : []);
}

/**
 * Whether so many panels change at once, without a row, or have an entry that cannot be true, that whatever the list shows anew waits for
 * a second reading.
 */
export function areMany({ changes, impossible, signedOff, percent }: Examined): boolean {
  const share = (signedOff * percent) / 100;
  return changes.length > Math.max(MOST_PANELS, share) || impossible > share;
}

/**
 * What waits for a second reading, with when it was first seen, and what may be published now. The changes of a panel follow each
 * other, and are published together: where one waits, all do.
 */
export function afterSecondReading(
  examined: Examined,
  { held, at }: { readonly held: readonly HeldSignOff[]; readonly at: Instant },
): { readonly certain: readonly SignOffChange[]; readonly held: readonly HeldSignOff[] } {
  const many = areMany(examined);
  const seen = examined.changes.map((change) => {
    const { panelId, now } = change;
    const what = now ? `${now.version} ${now.date}` : '';
    const since = held.find((one) => one.panelId === panelId && one.what === what)?.since ?? String(at);
    const isCertain = (!many && !isUncertain(change)) || at - BigInt(since) >= CONFIRMED_AFTER;
    return { change, isCertain, held: { panelId, what, since } };
  });
  const waiting = new Set(seen.flatMap(({ change, isCertain }) => (isCertain ? [] : [change.panelId])));
  return {
    certain: examined.changes.filter(({ panelId }) => !waiting.has(panelId)),
    held: seen.map((one) => one.held).filter(({ panelId }) => waiting.has(panelId)),
  };
}

const NAME = 'sign-offs';

const recordSchema = z.lazy(() =>
  z.object({
    /** When the list was read last, in milliseconds since the epoch; 0 where it never was. */
    readAt: z.number(),
    /** When the first reading was kept, while no reading an hour later has confirmed it; null from then on. */
    firstReadAt: z.number().nullable(),
    /** Changes that wait for a second reading. */
    held: z.array(heldSignOffSchema),
    /** Not to be asked before, in milliseconds since the epoch. */
    notBefore: z.number(),
    /** Since when the catalogue has not served the list, in milliseconds since the epoch; null where it did the last time. */
    missingSince: z.number().nullable(),
    /** Events that are recorded and may not be published yet, and what is kept with them. */
    pending: z.object({ messages: z.array(messageSchema), kept: z.array(signOffSchema) }).nullable(),
  }),
);

/** How far the list of signed-off versions was read. */
export interface SignOffRecord extends z.infer<typeof recordSchema> {
  /** Of the stored document. */
  readonly version: number;
}

const blank = { readAt: 0, firstReadAt: null, held: [], notBefore: 0, missingSince: null, pending: null };

const document = recordDocument('the reading of the signed-off versions', recordSchema);

/** @throws {StateError} `STATE_CORRUPT` when what is stored is none, or as the store does */
export const loadSignOffRecord = async (documents: Documents): Promise<SignOffRecord> =>
  (await document.load(documents, NAME)) ?? { ...blank, version: 0 };

/** @throws {StateError} `STATE_CONFLICT` when another run has replaced it, or as the store does */
export const saveSignOffRecord = (documents: Documents, record: SignOffRecord): Promise<SignOffRecord> =>
  document.save(documents, NAME, record);
