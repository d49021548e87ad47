import { isSilent } from '../differences/difference.ts';
import type { PanelEvent } from '../events/schemas.ts';
import {
  type PendingProof,
  type ProofRecord,
  saveProofs,
  type UnconfirmedVersion,
} from '../panels/proof-record.ts';
import type { Proof, VersionSummary } from '../panels/version-state.ts';
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import { toMessage } from '../publishing/to-message.ts';
import { DAY_MS } from '../run/clock.ts';
import { eventsIn } from '../store/published.ts';
import type { ProofOptions } from './proof-options.ts';

interface Conclusion {
  readonly version: VersionSummary;
  readonly proof: Proof;
  readonly events: readonly PanelEvent[];
  /**
   * Whether a change of the version was published, now or before, that only states show, or all that was read of the panel may show one
   * lie.
   */
  readonly isUnconfirmed: boolean;
}

/** Notes the proof of a version. Its events are recorded first, so that a run that dies publishes the same ones again. */
export async function concludeVersion(
  { version, proof, events, isUnconfirmed }: Conclusion,
  record: ProofRecord,
  run: ProofOptions,
): Promise<ProofRecord> {
  const { panelId, validFrom } = version;
  const messages = events.map((event) => toMessage(event));
  const counted = version.proof.kind !== 'unproven';
  const unconfirmed = isUnconfirmed ? version.sha256 : null;
  const pending = { panelId, version: version.version, validFrom, proof, counted, unconfirmed, messages };
  // Without events, a run that dies compares the version again, or has noted the proof. Then it must not stay named as unproven.
  const isNamed = record.unproven.some((one) => one.panelId === panelId && one.version === version.version);
  const recorded =
    events.length > 0 || isNamed ? await saveProofs(run.documents, { ...record, pending }) : record;
  return await finishPending({ ...recorded, pending }, run);
}

/**
 * Finishes what an earlier run recorded. Where it died before the poller knew of what it found, nothing of it was published, and rows
 * may have been since: the version is compared again.
 */
export async function finishRecorded(record: ProofRecord, run: ProofOptions): Promise<ProofRecord> {
  const { pending } = record;
  const found = eventsIn(pending?.messages ?? []).filter(({ data: { change } }) => isSilent(change));
  if (!pending || found.length === 0) return finishPending(record, run);
  const known = (await run.state.silent([pending.panelId])).get(pending.panelId) ?? [];
  const isKnown = found.some(({ id }) => known.some((one) => one.id === id));
  return isKnown ? finishPending(record, run) : { ...record, pending: null };
}

/** Publishes what was recorded, keeps its events, and notes the proof of its version. */
async function finishPending(record: ProofRecord, run: ProofOptions): Promise<ProofRecord> {
  const { pending } = record;
  if (!pending) return record;
  if (pending.messages.length > 0) {
    const found = eventsIn(pending.messages).filter(({ data: { change } }) => isSilent(change));
    const silent = new Map([[pending.panelId, found]]);
    // A row that shows up later adds nothing to what is published now. Ratings are looked up in the states themselves.
    const nothing = { ratings: new Map(), versions: new Map(), asOf: 0 };
    await run.state.learn({ ...nothing, origin: 'snapshot', at: pending.validFrom, silent });
    const published = await publishOrQuarantine(pending.messages, run);
    // States settle no row of the log, so that the period they cover is empty.
    const at = pending.validFrom;
    await run.history.append(published, { catalogue: run.name, since: at, until: at });
    run.onPublished?.(published);
  }
  await run.states.note(pending, { proof: pending.proof });
  const isVersion = (one: { readonly panelId: number; readonly version: string }): boolean =>
    one.panelId === pending.panelId && one.version === pending.version;
  return await saveProofs(run.documents, {
    ...record,
    pending: null,
    unproven: record.unproven.filter((one) => !isVersion(one)),
    doubts: record.doubts.filter((one) => !isVersion(one)),
    unconfirmed: [
      ...record.unconfirmed.filter((one) => !isVersion(one)),
      ...unconfirmedSince(pending, record, run.clock.now()),
    ],
    // A version that was proven as it was then is proven again at its end.
    proven: record.proven + (pending.counted ? 0 : 1),
  });
}

/**
 * A version of which a change was published that only states show is read again later. A reading that says the same adds to
 * those before it: the last one is a day after the publication.
 */
function unconfirmedSince(
  { panelId, version, validFrom, unconfirmed: sha256, messages }: PendingProof,
  { unconfirmed }: ProofRecord,
  now: number,
): readonly UnconfirmedVersion[] {
  if (sha256 === null) return [];
  const known = unconfirmed.find((one) => one.panelId === panelId && one.version === version);
  if (!known || known.isRefuted || messages.length > 0) {
    const times = { publishedAt: now, readAt: now, otherwise: null };
    return [{ panelId, version, validFrom, sha256, ...times, isRefuted: false }];
  }
  return now - known.publishedAt >= DAY_MS ? [] : [{ ...known, sha256, readAt: now, otherwise: null }];
}
