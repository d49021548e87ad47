import type { Catalogue } from '../catalogue/client.ts';
import type { ClassifiedRow, RecognisedRow } from '../classifier/classify-row.ts';
import type { Clock } from '../clock/clock.ts';
import { type Instant, instantOf } from '../clock/instant.ts';
import { ServiceError } from '../http/service-error.ts';
import type { Log } from '../log/log.ts';
import type { PanelStateStore } from '../panel-states/panel-state-store.ts';
import { compareSignOffs, LONGEST_TRANSACTION } from './compare-sign-offs.ts';
import { type SignOffFields, signOffFields } from './sign-off-fields.ts';

/** Finds which version a row of the log signs off: the row itself states the version that saving made. */
export interface RowSignOffs {
  /**
   * What the list of signed-off versions adds to rows, by the row's key; a row is absent where that is not certain. It never
   * fails: a later reading of the list publishes what is missing.
   */
  of(rows: readonly ClassifiedRow[]): Promise<ReadonlyMap<string, SignOffFields>>;
}

interface RowSignOffOptions {
  readonly catalogue: Pick<Catalogue, 'signedOff' | 'panelDetail'>;
  readonly states: Pick<PanelStateStore, 'signOffs' | 'saveSignOffs'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface SignOffRow {
  readonly row: RecognisedRow;
  readonly panelId: number;
  readonly at: Instant;
  readonly signedOff: boolean;
}

/** Reads the list of signed-off versions where rows say that a version was signed off. */
export function createRowSignOffs(options: RowSignOffOptions): RowSignOffs {
  return {
    async of(rows) {
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
        const { items, complete, serverTime } = await options.catalogue.signedOff();
        const at = instantOf(serverTime ?? options.clock.now());
        for (const one of complete ? signed : []) {
          const fields = await certainSignOff(one, items, at, options);
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

/**
 * The one version that the list shows and that was not listed before the row. It is certain only where the panel has
 * not been saved since: another sign-off would have raised its version.
 */
async function certainSignOff(
  { row, panelId, at: rowAt }: SignOffRow,
  items: Awaited<ReturnType<Catalogue['signedOff']>>['items'],
  at: Instant,
  { catalogue, states }: RowSignOffOptions,
): Promise<SignOffFields | null> {
  const known = (await states.signOffs(panelId)).filter(({ listedAt }) => listedAt < rowAt);
  const listed = items.filter(({ id }) => id === panelId);
  const [change, ...others] = compareSignOffs(known, listed, at, rowAt).changes;
  if (!change?.now || others.length > 0) return null;
  const present = await catalogue.panelDetail(panelId);
  if (present?.version !== row.activity.panel_version) return null;
  await states.saveSignOffs([change.now]);
  return signOffFields(change);
}

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
