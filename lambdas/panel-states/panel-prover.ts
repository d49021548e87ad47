import { instantOf } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Listing } from '../state/listing.ts';
import { isDoubtful } from './doubtful.ts';
import type { ProofOptions } from './proof-options.ts';
import { type ProofRecord, saveProofs, type UnprovenVersion } from './proof-record.ts';
import { proveVersion } from './prove-version.ts';
import { concludeVersion } from './publish-proof.ts';
import type { Proof, VersionState, VersionSummary } from './version-state.ts';
import { versionsFromStart } from './versions-from-start.ts';
import { versionsToRead } from './versions-to-read.ts';

/** The log could not be read to its end, so that nothing is concluded. */
export class LogUnread extends Error {
  override readonly name = 'LogUnread';
  readonly code = 'LOG_UNREAD';
}

/** Reads and proves panels one after the other. */
interface PanelProver {
  /** What is kept of proofs, as written last. */
  readonly record: ProofRecord;
  readonly counts: { readonly proven: number; readonly explained: number; readonly events: number };
  /**
   * Reads the versions of a panel that are not kept, and proves those that can be.
   * @throws {ArchivePaused} where no request may be sent
   * @throws {LogUnread} where the log has to be read first
   */
  prove(panelId: number): Promise<void>;
  /** Reads every version of a panel that the archive has, from its first one. */
  readFromStart(panelId: number): Promise<void>;
}

const notCompared = { kind: 'unproven', why: 'it was not compared yet' } as const;

const HOUR_MS = 60 * 60 * 1000;
/** A version that the catalogue did not serve is asked for again after this time. */
const RETRY_MS = 24 * HOUR_MS;

/** @param given what is kept of proofs, without recorded events */
export function createPanelProver(
  run: ProofOptions,
  given: ProofRecord,
  listing: Listing | null,
): PanelProver {
  const { archive, states, history, clock, overlap } = run;
  let record = given;
  /** When the log was last read to its end, in milliseconds since the epoch. */
  let logReadAt = 0;
  const counts = { proven: 0, explained: 0, events: 0 };

  const isSettled = ({ validTo, readAt }: VersionSummary): boolean =>
    (validTo ?? readAt) + overlap <= instantOf(clock.now());

  /** Reads the log, unless it was read after everything of a version was visible. */
  const readLogSince = async ({ validTo, readAt }: VersionSummary): Promise<void> => {
    if (instantOf(logReadAt) >= (validTo ?? readAt) + overlap) return;
    const { complete } = await run.readLog();
    if (!complete) throw new LogUnread('The log could not be read to its end');
    logReadAt = clock.now();
  };

  const eventsOf = async (panelId: number): Promise<PanelEvent[]> => {
    const events: PanelEvent[] = [];
    const query = { catalogue: run.name, filter: { panels: [panelId] }, order: 'oldest' as const };
    for await (const event of history.find(query)) events.push(event);
    return events;
  };

  const remain = async (
    { panelId, panelName, version }: Pick<VersionSummary, 'panelId' | 'panelName' | 'version'>,
    why: string,
    retryAt = 0,
  ): Promise<void> => {
    const isSame = (one: UnprovenVersion): boolean => one.panelId === panelId && one.version === version;
    const known = record.unproven.find(isSame);
    if (known?.why === why && known.retryAt === retryAt) return;
    const since = known?.since ?? clock.now();
    const unproven = { panelId, panelName, version, since, why, retryAt };
    record = await saveProofs(run.documents, {
      ...record,
      unproven: [...record.unproven.filter((one) => !isSame(one)), unproven],
    });
  };

  const conclude = async (version: VersionSummary, proof: Proof, events: readonly PanelEvent[] = []) => {
    const since = record.since ?? clock.now();
    record = await concludeVersion({ version, proof, events }, { ...record, since }, run);
    if (proof.kind === 'explained') counts.explained += 1;
    else counts.proven += 1;
    counts.events += events.length;
  };

  /** Whether a second reading of a doubtful state, at least an hour later, says the same. */
  const isConfirmed = async (state: VersionState): Promise<boolean> => {
    const { panelId, version, sha256, source } = state;
    const doubt = record.doubts.find((one) => one.panelId === panelId && one.version === version);
    const now = clock.now();
    if (doubt?.sha256 === sha256 && now - doubt.readAt < HOUR_MS) return false;
    const again = doubt && (await ask(panelId, source === 'present' ? undefined : version, state.panelName));
    if (again && again.version === version && again.sha256 === sha256) return true;
    if (again && again.version === version) await states.save({ ...again, validTo: state.validTo });
    const others = record.doubts.filter((one) => one !== doubt);
    const read = again?.version === version ? again.sha256 : sha256;
    record = await saveProofs(run.documents, {
      ...record,
      doubts: [...others, { panelId, version, sha256: read, readAt: now }],
    });
    return false;
  };

  /** Compares a state with the one before it; false where that has to wait. */
  const compare = async (
    before: VersionState,
    after: VersionState,
    replaced?: VersionSummary,
  ): Promise<boolean> => {
    if (!isSettled(after)) {
      await remain(after, 'its rows may still be missing from the log');
      return false;
    }
    await readLogSince(after);
    const published = await eventsOf(after.panelId);
    const facts = listing?.panels.get(after.panelId)?.facts;
    const catalogue = { name: run.name, url: run.url };
    const found = await proveVersion({ before, after, published, states, catalogue, facts });
    if (!found) {
      await remain(after, 'a panel that it holds was not read yet');
      return false;
    }
    const { differences, events } = found;
    if (isDoubtful(differences, before) && !(await isConfirmed(after))) {
      await remain(after, 'too much of it changed at once; it waits for a second reading');
      return false;
    }
    if (replaced) await states.save({ ...after, proof: replaced.proof });
    await conclude(
      replaced ? { ...after, proof: replaced.proof } : after,
      differences.length > 0 ? { kind: 'explained', events: differences.length } : { kind: 'proven' },
      events,
    );
    return true;
  };

  /** Asks for a version, and keeps it. Null where the catalogue does not serve it; what it says then is noted. */
  const ask = async (
    panelId: number,
    version: string | undefined,
    name: string,
  ): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind === 'state') return answer.state;
    const why =
      answer.kind === 'missing'
        ? 'the catalogue does not serve it'
        : `the catalogue served something else: ${answer.why}`;
    if (version !== undefined) {
      await remain({ panelId, panelName: name, version }, why, clock.now() + RETRY_MS);
    }
    return null;
  };

  /** Proves the kept versions of a panel that can be proven, oldest first. */
  const proveKept = async (panelId: number): Promise<void> => {
    const versions = await states.versions(panelId);
    for (const [index, summary] of versions.entries()) {
      const next = versions[index + 1];
      const previous = versions[index - 1];
      const ended = next && summary.source === 'present';
      if (!ended && summary.proof.kind !== 'unproven') continue;
      const own = await states.read(summary);
      if (!own) continue;
      if (ended) {
        // The present state was read before the version ended.
        const validTo = summary.validTo ?? next.validFrom;
        if (!isSettled({ ...summary, validTo })) return;
        const final = await ask(panelId, summary.version, summary.panelName);
        const after = final && { ...final, validTo };
        const isSame = after?.validFrom === summary.validFrom;
        if (!after || !isSame) return;
        const base = summary.proof.kind === 'unproven' && previous ? await states.read(previous) : own;
        if (!(await compare(base ?? own, after, summary))) return;
        continue;
      }
      const before = previous && (await states.read(previous));
      if (!before) {
        await conclude(summary, { kind: 'baseline' });
        continue;
      }
      if (!(await compare(before, own))) return;
    }
  };

  /** Keeps a state that follows the kept ones. */
  const keep = async (state: VersionState, before: VersionSummary | undefined, contiguous: boolean) => {
    await states.save(state);
    if (before && contiguous) await states.note(before, { validTo: state.validFrom });
    await remain(state, notCompared.why);
  };

  /** A version that nothing announced: it is kept where the archive has it. */
  const askForOld = async (panelId: number, version: string): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind !== 'state') return null;
    await states.save(answer.state);
    return answer.state;
  };

  const isTriedLater = (panelId: number, version: string): boolean =>
    record.unproven.some(
      (one) => one.panelId === panelId && one.version === version && one.retryAt > clock.now(),
    );

  /** Asks again for versions that the catalogue did not serve. */
  const retryMissing = async (panelId: number): Promise<void> => {
    const due = record.unproven.filter(
      (one) => one.panelId === panelId && one.retryAt > 0 && one.retryAt <= clock.now(),
    );
    for (const { version, panelName } of due) {
      const state = await ask(panelId, version, panelName);
      if (!state) continue;
      await states.save(state);
      await remain(state, notCompared.why);
    }
  };

  const readNewVersions = async (panelId: number): Promise<void> => {
    const listed = listing?.panels.get(panelId)?.versions ?? [];
    const [newest] = listed;
    let last = (await states.versions(panelId)).at(-1);
    if (!last) {
      const state = await ask(panelId, undefined, '');
      if (state) await keep(state, undefined, true);
      return;
    }
    if (!newest || (last.version === newest.version && last.source === 'present')) return;
    // The rows of the versions before may still be missing from the log.
    if (newest.at + overlap > instantOf(clock.now())) return;
    const stated = (await eventsOf(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
    const known = [...listed.map(({ version }) => version), ...stated];
    let contiguous = true;
    for (const version of [...versionsToRead(last.version, newest.version, known), undefined]) {
      if (version !== undefined && isTriedLater(panelId, version)) {
        contiguous = false;
        continue;
      }
      const state: VersionState | null = await ask(panelId, version, last.panelName);
      if (!state) {
        contiguous = false;
        continue;
      }
      await keep(state, last, contiguous);
      last = state;
      contiguous = true;
      await proveKept(panelId);
    }
  };

  return {
    get record() {
      return record;
    },
    counts,
    async prove(panelId) {
      await retryMissing(panelId);
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
    async readFromStart(panelId) {
      const kept = new Map((await states.versions(panelId)).map((one) => [one.version, one]));
      const newest = listing?.panels.get(panelId)?.versions[0]?.version ?? [...kept.keys()].at(-1);
      if (newest === undefined) return;
      const stated = (await eventsOf(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
      let last: VersionSummary | undefined;
      for (const version of versionsFromStart(newest, [...stated, ...kept.keys()])) {
        const known = kept.get(version.text);
        const state = known ?? (version.text === newest ? null : await askForOld(panelId, version.text));
        if (state && last?.validTo === null) await states.note(last, { validTo: state.validFrom });
        if (last && known?.proof.kind === 'baseline') await states.note(known, { proof: notCompared });
        const isGap = version.isGap(state !== null);
        last = state ?? (isGap ? undefined : last);
      }
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
  };
}
