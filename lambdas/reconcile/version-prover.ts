import { isFoundBy } from '../differences/difference.ts';
import { timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { byBeginning, isSameVersion } from '../panels/panel-versions.ts';
import { whyUnproven } from '../panels/proof-record.ts';
import type { Proof, VersionState, VersionSummary } from '../panels/version-state.ts';
import { aloneAnyway } from '../poll/poll-alone.ts';
import { DAY_MS, HOUR_MS } from '../run/clock.ts';
import { type Instant, instantOf, millisecondsOf } from '../run/instant.ts';
import type { Listing } from '../store/listing.ts';
import { deniesBefore, isDoubtful } from './doubtful.ts';
import type { PanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { type ProvenVersion, proveVersion } from './prove-version.ts';
import { begunAnewAfter, isAnew } from './set-back.ts';
import type { VersionReader } from './version-reader.ts';

/** Two states of a panel, one after the other. */
interface Step {
  readonly before: VersionState;
  /** `validTo` is when the next version that is known began, also where another one may have been in between. */
  readonly after: VersionState;
  /** When the later one ended at the latest, or was read. */
  readonly end: Instant;
  /** What is kept of the later one: it may have been read before the version ended. */
  readonly kept: VersionSummary;
  /** Whether two readings an hour apart show the later one. */
  readonly isConfirmed?: boolean;
}

/** What the steps of one run over the states of panels share. */
export interface Proving extends ProofOptions {
  readonly book: ProofBook;
  readonly events: PanelEvents;
  readonly reader: VersionReader;
  /** The panels as they were listed last; null where they never were. */
  readonly listing: Listing | null;
  /** Whether so many panels differ, or may differ, that none of them is trusted at its first reading. */
  readonly manyMayDiffer: () => boolean;
}

/** Whether something else is kept: it was read before the version ended, or was false. */
const isReplacing = ({ after, kept, isConfirmed }: Pick<Step, 'after' | 'kept' | 'isConfirmed'>): boolean =>
  after.source !== kept.source || isConfirmed === true;

/** Whether the earlier state is another reading of the same version. */
const isReading = ({ before, after }: Pick<Step, 'before' | 'after'>): boolean =>
  isSameVersion(before, after);

/** Whether states and events say different things of a version: what changed in it, or what was so before. */
const differs = ({ differences, disagreements }: ProvenVersion): boolean =>
  differences.length + disagreements.length > 0;

/** Whether an event states a change of a version that only states show: a poll asks for them too. */
const isFoundIn = (event: PanelEvent, { version, validFrom }: VersionSummary): boolean =>
  isFoundBy('snapshot', event.data.change) &&
  event.data.panel?.version === version &&
  timeOf(event) >= validFrom;

/** Whether every row of what ended or was read at an instant is visible. */
export const isSettled = (end: Instant, { overlap, clock }: Proving): boolean =>
  end + overlap <= instantOf(clock.now());

/** Whether a version waits for a second reading that is not due yet. */
export function isTooEarly(version: VersionSummary, { book, clock }: Proving): boolean {
  const doubt = book.doubt(version);
  return doubt !== undefined && clock.now() - doubt.readLastAt < HOUR_MS;
}

/**
 * Reads a state again, each hour until so long after its first reading. Returns `confirmed` where it says the same, what it says
 * otherwise, and null where that has to wait.
 */
async function readAgain(
  { after: state, kept }: Step,
  waitMs: number,
  { book, reader, states, clock }: Proving,
): Promise<'confirmed' | VersionState | null> {
  const doubt = book.doubt(state);
  const known = doubt?.sha256 === state.sha256 ? doubt : undefined;
  const readAt = millisecondsOf(state.readAt);
  const readLastAt = known?.readLastAt ?? readAt;
  const betweenMs = Math.min(waitMs, HOUR_MS);
  if (clock.now() - readLastAt < betweenMs) {
    if (!known) await book.noteDoubt(state);
    return null;
  }
  const again = await reader.again(state, readLastAt + Math.max(betweenMs - 1, 0));
  const isOther = again !== null && again.sha256 !== state.sha256;
  if (again && !isOther && clock.now() - (known?.readAt ?? readAt) >= waitMs) return 'confirmed';
  if (isOther && !isReplacing({ after: state, kept }))
    await states.save({ ...again, validTo: kept.validTo, proof: kept.proof });
  await book.noteDoubt(again ?? state, isOther ? state : undefined);
  return isOther ? { ...again, validTo: state.validTo } : null;
}

const findDifferences = async (
  { before, after }: Step,
  { name, url, events, states, listing }: Proving,
): Promise<ProvenVersion | null> =>
  proveVersion({
    before,
    after,
    published: await events.of(after.panelId),
    isPublished: events.isPublished,
    states,
    isListed: (panelId) => listing?.panels.has(panelId) !== false,
    catalogue: { name, url },
    facts: listing?.panels.get(after.panelId)?.facts,
    factsReadAt: listing?.readAt,
  });

/** Why a difference is not published at the first reading, a clause for people; null where it is. */
function doubtOf(
  { differences, events: own, rowsDeny }: ProvenVersion,
  { before, after }: Step,
  { book, manyMayDiffer }: Proving,
): string | null {
  if (rowsDeny === 'both') return 'a row is about something that neither it nor the version before shows';
  if (isDoubtful(differences, before)) return 'too much of it changed at once';
  if (own.length === 0) return null;
  const manyDiffer = manyMayDiffer();
  if (manyDiffer) book.noteManyDiffer();
  // What was read while many differed is not trusted later either.
  const isSuspect = millisecondsOf(after.readAt) <= book.record.manyDifferedAt;
  return manyDiffer || isSuspect ? 'many panels changed at once without a row' : null;
}

/**
 * The first states that were kept of a panel, up to the one before a step; none where another reading proved one of them. Those that
 * were read at once may show one lie, as do those with the content of the first, where rows deny it.
 */
async function firstsOf(
  { before, after }: Step,
  isDenied: boolean,
  { states }: Proving,
): Promise<readonly VersionSummary[]> {
  // What a panel holds that begins anew is published.
  if (isAnew(before)) return [];
  if (isReading({ before, after }) && before.proof.kind === 'baseline') return [before];
  const kept = (await states.versions(after.panelId)).filter((one) => byBeginning(one, after) < 0);
  const [first] = kept;
  const isUnsure = first?.proof.kind === 'baseline' || (isDenied && first?.proof.kind === 'proven');
  if (first?.source !== 'archive' || !isUnsure) return [];
  const isAsFirst = ({ proof, readAt, sha256 }: VersionSummary): boolean =>
    proof.kind === 'proven' &&
    (millisecondsOf(readAt - first.readAt) < HOUR_MS || (isDenied && sha256 === first.sha256));
  return kept.every((one) => one === first || isAsFirst(one)) ? kept : [];
}

/**
 * The last of the first states of a panel, each as its archive shows it now; null where that shows the same. Nothing came before
 * them by which a lie would have been found out.
 */
async function firstsAgain(
  firsts: readonly VersionSummary[],
  { before }: Step,
  { states, reader }: Proving,
): Promise<VersionState | null> {
  let [last, isOther]: [VersionState | null, boolean] = [null, false];
  for (const [index, { proof, validTo, sha256, ...first }] of firsts.entries()) {
    const known = await states.read(first);
    const shown = known && (await reader.again(known, millisecondsOf(known.readAt)));
    if (shown && shown.sha256 !== sha256) {
      isOther = true;
      await states.save({ ...shown, validTo, proof });
    }
    const end = validTo ?? firsts[index + 1]?.validFrom ?? before.validFrom;
    last = known && { ...(shown ?? known), validTo: end, proof };
  }
  return isOther ? last : null;
}

/** The first reading of a panel showed little of it: its archive takes its place, and nothing is published of what it adds. */
async function beginAnew({ after, kept }: Step, { book, states, log }: Proving): Promise<boolean> {
  const { panelId, version, validTo } = { ...after, validTo: kept.validTo };
  log.warn(
    'The first reading of a panel lacked much of what its archive shows; nothing is published of that',
    {
      panelId,
      version,
    },
  );
  await book.conclude({ ...after, proof: kept.proof }, { kind: 'baseline' });
  await states.save({ ...after, validTo, proof: { kind: 'baseline' } });
  return true;
}

async function conclude(step: Step, found: ProvenVersion, proving: Proving): Promise<void> {
  const { before, after, kept } = step;
  const { differences, disagreements } = found;
  const { book, events, states } = proving;
  // A lie about the version before may have hidden the change.
  const isReadOnce = before.source === 'archive' && before.proof.kind === 'proven' && !isReading(step);
  if (differences.length > 0 && isReadOnce) await book.doubtReading(before);
  // What undoes false events corrects as many.
  const corrected = disagreements.length + (book.isRefuted(after) ? differences.length : 0);
  const begunAfter = begunAnewAfter(kept);
  const proof: Proof =
    begunAfter !== undefined
      ? { kind: 'baseline', after: begunAfter }
      : differs(found)
        ? { kind: 'explained', events: differences.length, ...(corrected > 0 && { corrected }) }
        : { kind: 'proven' };
  // Nothing came before the first states of a panel by which a lie would have been found out that all of them show.
  const isUnconfirmed =
    differences.length > 0 ||
    (!isReading(step) && (await firstsOf(step, false, proving)).length > 0) ||
    (await events.of(after.panelId)).some((event) => isFoundIn(event, after));
  await book.conclude({ ...after, proof: kept.proof }, proof, found.events, isUnconfirmed);
  // A run that dies before compares what was read earlier again.
  // What was so when it was read first holds nothing that came later.
  const { readAt } = after.sha256 === kept.sha256 ? kept : after;
  if (isReplacing(step)) await states.save({ ...after, readAt, validTo: kept.validTo, proof });
  if (found.events.length > 0) events.forget();
}

/**
 * Compares a state with the one before it. Without a difference the version is proven at once; a difference is
 * published once its row would have become visible.
 * @returns whether the version after it can be compared
 * @throws {LogUnread | ArchivePaused} where that has to wait
 */
export async function compareStep(given: Step, proving: Proving): Promise<boolean> {
  const { book, events, overlap, alone = aloneAnyway } = proving;
  // Only what is kept says whether the panel began anew with the version.
  const step = { ...given, after: { ...given.after, proof: given.kept.proof } };
  const { before, after, end } = step;
  let found = await findDifferences(step, proving);
  if (!found || differs(found)) {
    if (!isSettled(end, proving)) {
      await book.remain(after, 'its rows may still be missing from the log');
      return false;
    }
    await events.readLogSince(end + overlap);
    found = await findDifferences(step, proving);
  }
  if (!found) {
    await book.remain(after, 'a panel that it holds was not read and proven yet');
    return false;
  }
  if (differs(found)) {
    const from = before.source === 'present' ? before.readAt : (before.validTo ?? before.validFrom);
    if ((await events.addEarlier(after.panelId, from)) === 'unknown') {
      await book.remain(after, whyUnproven.rowsUnserved);
      return true;
    }
    found = (await findDifferences(step, proving)) ?? found;
  }
  if (!proving.fromStart) book.noteCompared(after.panelId, differs(found));
  // What came to a version after its first reading is no lie of that one: it is published.
  const isDenied = found.rowsDeny === 'before' && !isReading(step);
  const firsts =
    isDenied || deniesBefore(found.differences, after) ? await firstsOf(step, isDenied, proving) : [];
  const isFirstDenied = firsts.length > 0;
  const doubt = isFirstDenied
    ? 'it denies much of the first reading of its panel'
    : doubtOf(found, step, proving);
  const isSure =
    step.isConfirmed === true ||
    (doubt === null && (found.events.length === 0 || after.source === 'archive'));
  // A reading after the rows settle is a second one; a state that had another content before waits as a doubtful one does. What would
  // take the place of a first reading is published nowhere, so that nothing later finds out a lie of hours.
  const waitMs =
    isFirstDenied || found.rowsDeny === 'both' ? DAY_MS : doubt === null && !book.doubt(after) ? 0 : HOUR_MS;
  const again = isSure ? 'confirmed' : await readAgain(step, waitMs, proving);
  if (again === null) {
    await book.remain(after, `${doubt ?? 'a change without a row'}; it waits for a second reading`);
    return false;
  }
  if (again !== 'confirmed') {
    const seen = again.source === 'present' ? again.readAt : end;
    return compareStep({ ...step, after: again, end: seen }, proving);
  }
  if (isFirstDenied && isReading(step) && before.proof.kind === 'baseline') return beginAnew(step, proving);
  const shown = await firstsAgain(firsts, step, proving);
  if (shown) return compareStep({ ...step, before: shown }, proving);
  if (found.events.length === 0) await conclude(step, found, proving);
  else
    await alone(async () => {
      // Another run may have published it meanwhile.
      events.forget();
      await conclude(step, (await findDifferences(step, proving)) ?? found, proving);
    });
  return true;
}
