import {
  byBeginning,
  highestOf,
  isSameVersion,
  proofBeside,
  versionsAfter,
} from '../panels/panel-versions.ts';
import { notCompared, type VersionState, type VersionSummary } from '../panels/version-state.ts';
import { readNewVersions } from './new-versions.ts';
import { confirmPublished, proveKept } from './prove-kept.ts';
import { isAnew, lostBySetBack } from './set-back.ts';
import type { Proving } from './version-prover.ts';

/**
 * Reads the versions of a panel that are not kept, and proves those that can be.
 * @throws {ArchivePaused | LogUnread} where no request may be sent, or the log has to be read first
 */
export async function provePanel(panelId: number, proving: Proving): Promise<void> {
  await retryMissing(panelId, proving);
  await confirmPublished(panelId, proving);
  await readNewVersions(panelId, proving);
  await proveKept(panelId, proving);
}

/**
 * Reads every version of a panel that the archive has, from its first one, and proves those that can be.
 * @throws {ArchivePaused | LogUnread} where no request may be sent, or the log has to be read first
 */
export async function proveFromStart(panelId: number, proving: Proving): Promise<void> {
  await readArchived(panelId, proving);
  await readNewVersions(panelId, proving);
  await proveKept(panelId, proving);
}

async function keepLate(
  state: VersionState,
  kept: readonly VersionSummary[],
  { states, book }: Proving,
): Promise<void> {
  await states.save({ ...state, proof: proofBeside(kept, state, notCompared) });
  await book.remain(state, notCompared.why);
}

/** Keeps a version that is read late, from before the numbers of its panel went back. */
async function keepLost(state: VersionState, { states, book }: Proving): Promise<void> {
  await states.save({ ...state, proof: lostBySetBack });
  await book.loseUnproven(state.panelId, state.version);
}

/** Keeps the versions between one that is read late and the next one that is kept: nothing announced them. */
async function keepFollowing(
  late: VersionState,
  next: VersionSummary,
  { book, reader }: Proving,
  keep: (state: VersionState) => Promise<void>,
): Promise<void> {
  for (const { text, isGap } of versionsAfter({ after: late.version, upTo: next.version, known: [] })) {
    if (text === next.version) return;
    const isNamed = book.record.unproven.some((one) => one.panelId === late.panelId && one.version === text);
    const answer = isNamed ? null : await reader.archived(late.panelId, text);
    const state = answer?.kind === 'state' ? answer.state : null;
    isGap(isNamed || state !== null);
    if (state && byBeginning(late, state) < 0 && byBeginning(state, next) < 0) await keep(state);
  }
}

/** Asks again for versions that the catalogue did not serve. */
async function retryMissing(panelId: number, proving: Proving): Promise<void> {
  const { states, book, reader, clock } = proving;
  const due = book.record.unproven.filter(
    (one) => one.panelId === panelId && one.retryAt > 0 && one.retryAt <= clock.now(),
  );
  for (const version of due) {
    const state = await reader.version(version);
    if (!state) continue;
    const kept = await states.versions(panelId);
    const known = kept.find((one) => isSameVersion(one, state));
    // What came after it was compared with the version before it.
    const next = kept.find((one) => byBeginning(state, one) < 0);
    const anew = kept.findLast(isAnew);
    if (anew && state.validFrom < anew.validFrom) {
      if (known) await book.loseUnproven(panelId, state.version);
      else await keepLost(state, proving);
      if (!known && next) await keepFollowing(state, next, proving, (one) => keepLost(one, proving));
      continue;
    }
    if (known?.source === 'archive' && known.proof.kind !== 'unproven') {
      await book.conclude(known, known.proof);
      continue;
    }
    // What was read before the version ended is compared with its archive: saved over it, a change in between would be lost.
    if (known?.source === 'present') await book.remain(state, notCompared.why);
    else await keepLate(state, kept, proving);
    if (known || !next) continue;
    await keepFollowing(state, next, proving, (one) => keepLate(one, kept, proving));
    if (next.proof.kind === 'unproven') continue;
    await book.refute(state, [next], 'the version before it was read after it');
    await states.note(next, { proof: notCompared });
  }
}

/** Reads every version of a panel that the archive has, from its first one, up to the one that is listed. */
async function readArchived(panelId: number, { archive, states, events, listing }: Proving): Promise<void> {
  /** Nothing announced the version: it is kept where the archive has it. */
  const ask = async (version: string): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind !== 'state') return null;
    await states.save(answer.state);
    return answer.state;
  };
  const kept = new Map((await states.versions(panelId)).map((one) => [one.version, one]));
  const newest = listing?.panels.get(panelId)?.versions[0]?.version ?? highestOf([...kept.keys()]);
  if (newest === undefined) return;
  const stated = (await events.of(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
  let last: VersionSummary | undefined;
  const known = [...stated, ...kept.keys()];
  for (const version of versionsAfter({ after: null, upTo: newest, known })) {
    const own = kept.get(version.text);
    const state = own ?? (version.text === newest ? null : await ask(version.text));
    if (state && last?.validTo === null) await states.note(last, { validTo: state.validFrom });
    if (last && own?.proof.kind === 'baseline') await states.note(own, { proof: notCompared });
    const isGap = version.isGap(state !== null);
    last = state ?? (isGap ? undefined : last);
  }
}
