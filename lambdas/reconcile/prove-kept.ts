import { byBeginning, isAhead, isSameVersion, lastReached } from '../panels/panel-versions.ts';
import type { UnconfirmedVersion } from '../panels/proof-record.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import { DAY_MS, HOUR_MS } from '../run/clock.ts';
import { instantOf } from '../run/instant.ts';
import { comparedAgain, isAnew, isLost, lostBySetBack } from './set-back.ts';
import { compareStep, isSettled, isTooEarly, type Proving } from './version-prover.ts';

/** Proves the kept versions of a panel that can be proven, oldest first. */
export async function proveKept(panelId: number, proving: Proving): Promise<void> {
  const { states, book } = proving;
  const kept = await states.versions(panelId);
  const reached = lastReached(kept);
  const versions = kept.filter((one) => reached && byBeginning(one, reached) <= 0).map(asItWasRead);
  const anew = versions.findLastIndex(isAnew);
  for (const [index, summary] of versions.entries()) {
    if (index < anew && !isComparedAgain(summary)) continue;
    const next = versions[index + 1];
    // What the versions before a break showed, and nothing compared, was not published.
    const previous = versions
      .slice(0, index)
      .findLast((one) => (index > anew || !isLost(one)) && (index !== anew || one.proof.kind !== 'unproven'));
    const isFirst = index === anew && summary.proof.kind === 'unproven';
    // Where the number came again, the archive has the later one alone.
    if (next && next.version !== summary.version && summary.source === 'present' && !isFirst) {
      const isProven = await proveEnded({ summary, next, previous }, proving);
      if (isProven === false && index >= anew) return;
      if (isProven !== null) continue;
    }
    if (summary.proof.kind !== 'unproven') continue;
    const state = await states.read(summary);
    if (!state) continue;
    const before = previous && (await states.read(previous));
    if (!before) {
      await book.conclude(summary, { kind: 'baseline' });
      continue;
    }
    const validTo = summary.validTo ?? next?.validFrom ?? null;
    // When it ended says which events and which states of its panels belong to it.
    if (summary.source === 'archive' && validTo === null) return;
    const step = { before, after: { ...state, validTo }, kept: summary, end: validTo ?? summary.readAt };
    // What waits before a break keeps nothing after it from being compared.
    if (!(await compareStep(step, proving)) && index >= anew) return;
  }
}

/** Whether a version was compared with one of which something false was published: the others before a break are lost. */
const isComparedAgain = (version: VersionSummary): boolean =>
  version.proof.kind === 'unproven' && !isLost(version) && !version.proof.alone && !isAhead(version);

/**
 * A version, as its content was read: while a panel is hidden its archive is kept before the version ended, and shows it as it was then, as
 * a present state does. What is proven keeps the time of its first reading.
 */
function asItWasRead(
  version: VersionSummary,
  index: number,
  versions: readonly VersionSummary[],
): VersionSummary {
  const end = version.validTo ?? versions[index + 1]?.validFrom;
  const isEarly = end !== undefined && version.readAt < end && version.proof.kind === 'unproven';
  return isEarly ? { ...version, source: 'present' } : version;
}

interface Ended {
  /** A version that was read before it ended. */
  readonly summary: VersionSummary;
  readonly next: VersionSummary;
  readonly previous: VersionSummary | undefined;
}

/**
 * Proves a version whose present state was read before it ended; false where that has to wait, null where its number came
 * again, so that the archive shows another version.
 */
async function proveEnded({ summary, next, previous }: Ended, proving: Proving): Promise<boolean | null> {
  const { states, reader } = proving;
  const validTo = summary.validTo ?? next.validFrom;
  if (!isSettled(validTo, proving) || reader.isTriedLater(summary.panelId, summary.version)) return false;
  if (isTooEarly(summary, proving)) return false;
  const answer = await reader.ended(summary, next);
  if (answer && answer.kind !== 'state') await reader.noteUnread(summary, answer);
  const final = answer?.kind === 'state' ? answer.state : null;
  if (final && final.validFrom > summary.validFrom) return null;
  if (final?.validFrom !== summary.validFrom) return false;
  const isFirstProof = summary.proof.kind === 'unproven' && previous !== undefined;
  // What is kept need not be read where nothing changed since.
  const kept = final.sha256 === summary.sha256 ? { ...summary, entities: final.entities } : null;
  const before = (isFirstProof && (await states.read(previous))) || (kept ?? (await states.read(summary)));
  if (!before) return false;
  return compareStep({ before, after: { ...final, validTo }, end: validTo, kept: summary }, proving);
}

/** When a state is to be read again: an hour and a day after something was published of it, and an hour after a contradiction. */
const dueAt = ({ publishedAt, readAt, otherwise }: UnconfirmedVersion): number => {
  if (otherwise !== null) return readAt + HOUR_MS;
  return publishedAt + (readAt - publishedAt < HOUR_MS ? HOUR_MS : DAY_MS);
};

/** Whether a state of which something was published is to be read again. */
export const isDueAgain = (version: UnconfirmedVersion, now: number): boolean => now >= dueAt(version);

interface Shown {
  readonly summary: VersionSummary;
  /** The kept versions of the panel, oldest first. */
  readonly kept: readonly VersionSummary[];
  readonly now: number;
}

/**
 * Whether the version after an archived one takes the place of its reading after an hour: it is another answer of the catalogue, to which
 * events lead from what was published.
 */
function isShownByNext(one: UnconfirmedVersion, { summary, kept, now }: Shown): boolean {
  const next = kept[kept.indexOf(summary) + 1];
  const isOfHour = one.otherwise === null && now - one.publishedAt < DAY_MS;
  return (
    isOfHour && summary.source === 'archive' && one.sha256 === summary.sha256 && next?.proof.kind === 'proven'
  );
}

/**
 * Reads the states of a panel again of which a change without a row was published: a catalogue that lied then shows
 * something else later. Where two readings an hour apart agree on it, what undoes the false changes is published, and the versions
 * after it are compared again.
 * @throws {ArchivePaused} where no request may be sent; {LogUnread} where the log has to be read first
 */
export async function confirmPublished(panelId: number, proving: Proving): Promise<void> {
  const { states, book, reader, clock } = proving;
  const now = clock.now();
  const due = book.record.unconfirmed.filter((one) => one.panelId === panelId && isDueAgain(one, now));
  for (const one of due) {
    const kept = await states.versions(panelId);
    const summary = kept.find((version) => isSameVersion(version, one));
    if (summary && isLost(summary)) {
      await book.noteReadAgain(one, null);
      continue;
    }
    // It is compared with the version before first, and waits for a second reading there.
    if (summary?.proof.kind === 'unproven') continue;
    if (summary && isShownByNext(one, { summary, kept, now })) {
      await book.noteReadAgain(one, { readAt: now, otherwise: null });
      continue;
    }
    const shown = summary ? await reader.again(summary, dueAt(one) - 1) : null;
    // A run that died may have published a change of one content, and kept another: what is shown must be both.
    const isOther = shown !== null && [one.sha256, summary?.sha256].some((each) => each !== shown.sha256);
    const isDone = summary === undefined || (!isOther && now - one.publishedAt >= DAY_MS);
    const read = { readAt: now, otherwise: isOther ? shown.sha256 : null };
    if (summary && isOther && shown.sha256 === one.otherwise)
      await compareAgain(summary, shown, one.readAt, proving);
    else await book.noteReadAgain(one, isDone ? null : read);
  }
}

/**
 * Compares the versions after one of which something false was published again.
 * @param shownAt when the catalogue showed the same first
 */
async function compareAgain(
  summary: VersionSummary,
  shown: VersionState,
  shownAt: number,
  proving: Proving,
): Promise<void> {
  const { states, book, reader, log } = proving;
  const { panelId, version } = summary;
  const before = await states.read(summary);
  if (!before) return;
  if (shown.sha256 !== before.sha256)
    log.warn('Later readings contradict what was read of a state; what was published of it is corrected', {
      panelId,
      version,
    });
  const after = (await states.versions(panelId)).filter((one) => byBeginning(one, summary) > 0);
  const anew = after.findIndex(isAnew);
  const since: VersionSummary[] = [];
  const found: VersionState[] = [];
  const lost: VersionSummary[] = [];
  let isAnewOther = false;
  for (const [index, one] of after.entries()) {
    // What a panel held when it began anew was compared with what came before; what came later was not.
    if (anew >= 0 && index > anew && !isAnewOther) break;
    if (isLost(one)) continue;
    since.push(one);
    const shownNow = await reader.again(one, shownAt);
    if (index === anew && shownNow) isAnewOther = shownNow.sha256 !== one.sha256;
    // The archive has another version under its number: what was read of this one may be the same lie.
    if (!shownNow && index < anew) lost.push(one);
    const again = shownNow ?? (await states.read(one));
    if (again) found.push({ ...again, proof: lost.includes(one) ? lostBySetBack : comparedAgain(one) });
  }
  // The count of proven versions falls first: a run that dies in between understates it.
  await book.refute(summary, since);
  for (const state of found) await states.save(state);
  for (const { version } of lost) await book.loseUnproven(panelId, version);
  const readAt = instantOf(shownAt);
  const end = summary.source === 'present' ? readAt : (summary.validTo ?? readAt);
  const step = { before, after: { ...shown, readAt }, end, kept: summary, isConfirmed: true };
  await compareStep(step, proving);
}
