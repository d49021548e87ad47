import type { Catalogue } from '../catalogue/client.ts';
import { ServiceError } from '../catalogue/http/service-error.ts';
import { type LogRow, readLogRows } from '../catalogue/log-row.ts';
import type { SignedOffPanel } from '../catalogue/schemas.ts';
import type { ClassifiedRow, RecognisedRow } from '../classifier/classify.ts';
import type { Changes } from '../events/changes.ts';
import { type Clock, MINUTE_MS } from '../run/clock.ts';
import { type Instant, instantOf, later } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { StateStore } from '../store/store.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import {
  compareSignOffs,
  goesBack,
  isUncertain,
  LONGEST_TRANSACTION,
  type SignOffChange,
} from './signed-off-at.ts';
import { impossiblePanels } from './trusted-list.ts';
import type { SignOff } from './version-state.ts';

interface RowSignOffOptions {
  readonly catalogue: Pick<Catalogue, 'signedOff' | 'activities' | 'panelDetail'>;
  readonly states: Pick<PanelStateStore, 'signOffs' | 'saveSignOffs'>;
  readonly store: Pick<StateStore, 'listing'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface SignOffRow {
  readonly row: RecognisedRow;
  readonly panelId: number;
  readonly at: Instant;
  readonly signedOff: boolean;
}

/**
 * Finds which version a row of the log signs off: the row itself states the version that saving made. The list of signed-off versions
 * is read where rows say that a version was signed off.
 */
export function createRowSignOffs(options: RowSignOffOptions) {
  const { catalogue, clock } = options;
  let kept: ReadList | null = null;
  /** The list and the newest page after it. One reading serves the rows of a backlog that were written long before it. */
  const read = async (signed: readonly SignOffRow[]): Promise<ReadList> => {
    const newest = signed.map(({ at }) => at).reduce(later);
    if (kept && newest + LONGEST_TRANSACTION < kept.at && clock.now() - kept.readAt < KEPT_MS) return kept;
    const { items, complete, serverTime } = await catalogue.signedOff();
    const readAt = clock.now();
    const page = complete ? await catalogue.activities(1) : null;
    const list = {
      items: complete ? items : null,
      at: instantOf(serverTime ?? readAt),
      readAt,
      newest: { rows: readLogRows(page?.rows ?? []), isWhole: page?.hasNext === false },
    };
    kept = complete && serverTime !== null ? list : null;
    return list;
  };
  return {
    /**
     * What the list of signed-off versions adds to rows, by the row's key; a row is absent where that is not certain. It never
     * fails: a later reading of the list publishes what is missing.
     */
    async of(rows: readonly ClassifiedRow[]): Promise<ReadonlyMap<string, SignOffFields>> {
      const found = new Map<string, SignOffFields>();
      const all = rows.flatMap(signOffRow);
      // An earlier sign-off of the same panel may be the one that the list shows no more.
      const last = [...new Map(all.map((one) => [one.panelId, one])).values()];
      try {
        for (const one of last.filter(({ signedOff }) => !signedOff)) {
          found.set(one.row.key, await removedSignOff(one, options));
        }
        const signed = last.filter(({ signedOff }) => signedOff);
        if (signed.length === 0) return found;
        const list = await read(signed);
        const items = list.items && (await believedItems(signed, { ...list, items: list.items }, options));
        if (!items) return found;
        for (const one of signed) {
          const fields = await certainSignOff(one, { ...list, items }, options);
          if (fields) found.set(one.row.key, fields);
        }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        options.log.warn('A sign-off is published without its version: the list could not be read', {
          error,
        });
      }
      return found;
    },
  };
}

function signOffRow(row: ClassifiedRow): readonly SignOffRow[] {
  const draft = row.kind === 'recognised' ? row.reading.draft['panel.signed-off'] : undefined;
  if (row.kind !== 'recognised' || !draft || row.at === null || row.activity.panel_id === null) return [];
  return [{ row, panelId: row.activity.panel_id, at: row.at, signedOff: draft.signedOff === true }];
}

/** How long a reading of the list is used. */
const KEPT_MS = 10 * MINUTE_MS;

interface BelievedList {
  readonly items: readonly SignedOffPanel[];
  readonly at: Instant;
  /** The newest page of the log, read after the list. */
  readonly newest: NewestRows;
}

interface ReadList extends Omit<BelievedList, 'items'> {
  /** Null where the list was not whole. */
  readonly items: BelievedList['items'] | null;
  /** By this machine's clock, in milliseconds. */
  readonly readAt: number;
}

/** The list without entries that cannot be true; null where it is not believed. */
async function believedItems(
  signed: readonly SignOffRow[],
  { items, at }: BelievedList,
  { states, store, log }: RowSignOffOptions,
): Promise<BelievedList['items'] | null> {
  const stored = await states.signOffs();
  const reached = new Map(signed.map(({ panelId, row }) => [panelId, [row.activity.panel_version]]));
  const { changes: all } = compareSignOffs(stored, items, at);
  const changes = all.filter(({ panelId }) => !reached.has(panelId));
  // What goes back, or is another version of the same day, may be a lie; a sweep that reads the same later adds the versions.
  if (changes.some(isUncertain)) {
    log.warn(
      'The list of signed-off versions changed without rows of the log; sign-offs are published without their version',
      { panels: changes.length },
    );
    return null;
  }
  const own = items.filter(({ id }) => reached.has(id));
  const impossible = impossiblePanels({ listed: own, listing: await store.listing(), reached, at });
  const taken = new Set(all.flatMap((change) => (goesBack(change) ? [change.panelId] : [])));
  return own.filter(({ id }) => !impossible.has(id) && !taken.has(id));
}

interface NewestRows {
  readonly rows: readonly LogRow[];
  /** Whether the log has no older rows. */
  readonly isWhole: boolean;
}

/**
 * The one version that the list shows and that was not listed before the row. It is certain only where no later row signs the
 * panel off: the log was read after the list. Where the newest page of the log does not reach back to the row, the panel must have
 * the version that the row made, because another sign-off would have raised it.
 */
async function certainSignOff(
  { row, panelId, at: rowAt }: SignOffRow,
  { items, at, newest }: BelievedList,
  { catalogue, states }: RowSignOffOptions,
): Promise<SignOffFields | null> {
  const known = (await states.signOffs(panelId))
    .filter(({ listedAt }) => listedAt < rowAt)
    // What a run that was cut off found to be removed is found again.
    .map((one) => (one.removedAt !== null && one.removedAt >= rowAt ? { ...one, removedAt: null } : one));
  const listed = items.filter(({ id }) => id === panelId);
  const { changes, kept } = compareSignOffs(known, listed, at, rowAt);
  const [change, ...others] = changes;
  if (!change?.now || others.length > 0) return null;
  const reachesRow = newest.isWhole || newest.rows.some((other) => other.at <= rowAt);
  const isLast = reachesRow
    ? !newest.rows.some((other) => other.at > rowAt && maySignOff(other, panelId))
    : (await catalogue.panelDetail(panelId))?.version === row.activity.panel_version;
  if (!isLast) return null;
  await states.saveSignOffs(kept);
  return signOffFields(change);
}

const maySignOff = (row: LogRow, panelId: number): boolean =>
  row.kind === 'activity' && row.activity.panel_id === panelId && /signed off/i.test(row.activity.text);

async function removedSignOff(
  { panelId, at }: SignOffRow,
  { states }: RowSignOffOptions,
): Promise<SignOffFields> {
  const known = await states.signOffs(panelId);
  const earlier = known.filter(({ listedAt }) => listedAt < at + LONGEST_TRANSACTION);
  const active = earlier.filter(({ removedAt }) => removedAt === null);
  await states.saveSignOffs(active.map((one) => ({ ...one, removedAt: at })));
  // Found again by a run that is repeated.
  const removed = earlier.filter(({ removedAt }) => removedAt === null || removedAt === at);
  return signOffFields({ now: null, before: removed.at(-1) ?? null });
}

type SignOffFields = Pick<
  Changes['panel.signed-off'],
  'signedOffVersion' | 'signedOffDate' | 'previousSignedOffVersion' | 'previousSignedOffDate'
>;

/** The fields of a sign-off's event that the list of signed-off versions gives. */
export function signOffFields({ now, before }: Pick<SignOffChange, 'now' | 'before'>): SignOffFields {
  return {
    ...(now && { signedOffVersion: now.version, signedOffDate: now.date }),
    ...(before && { previousSignedOffVersion: before.version, previousSignedOffDate: before.date }),
  };
}

/** Whether an event's change states this sign-off. */
export function statesSignOff(change: Changes['panel.signed-off'], { version, date }: SignOff): boolean {
  return change.signedOffVersion === version && change.signedOffDate === date;
}
