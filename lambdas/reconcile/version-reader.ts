import type { ArchiveAnswer } from '../panels/archive.ts';
import { isSameVersion } from '../panels/panel-versions.ts';
import { whyUnproven } from '../panels/proof-record.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import { HOUR_MS } from '../run/clock.ts';
import { millisecondsOf, minutes } from '../run/instant.ts';
import type { Listing } from '../store/listing.ts';
import type { ProofBook } from './proof-book.ts';
import type { Answered, ProofOptions } from './proof-options.ts';

/** An answer without a state. */
export type NoState = Exclude<ArchiveAnswer, { kind: 'state' }>;
type NamedVersion = Pick<VersionSummary, 'panelId' | 'panelName' | 'version'>;

interface ReaderParts extends Pick<ProofOptions, 'archive' | 'clock' | 'lastAnswers'> {
  readonly book: ProofBook;
  readonly listing: Listing | null;
}

/** A panel as it is now, a version, and those that may follow it are asked for before the first of them is proven. */
const MAX_STATES = 4;

/** A version that the catalogue did not serve is asked for again after this time. */
const RETRY_MS = 24 * 60 * 60 * 1000;

/** A panel that is listed and not shown is asked for again after so long; the next listing may lack it. */
const SHORTEST_MS = 5 * 60 * 1000;

/** When the catalogue gave an answer, in milliseconds since the epoch: a poll may have asked for it earlier. */
const readingTime = ({ at, answer }: Answered): number =>
  answer.kind === 'state' ? millisecondsOf(answer.state.readAt) : at;

/**
 * Asks the catalogue for the states that the proofs of a run need, and notes in the book what it cannot read. Each method throws
 * {ArchivePaused} where no request may be sent, and {CatalogueError} where the catalogue is out of order.
 */
export type VersionReader = ReturnType<typeof createVersionReader>;

/** A reader for one run. */
export function createVersionReader({
  archive,
  clock,
  lastAnswers: last = { answers: [] },
  book,
  listing,
}: ReaderParts) {
  const begunAt = clock.now();
  const oldest = Math.max(listing?.listedAt ?? begunAt, begunAt - HOUR_MS);
  /** What an earlier run was answered counts until the panels are listed again; what it was refused does not. */
  const isOfNow = ({ at, version: number, answer: { kind } }: Answered): boolean =>
    at >= begunAt || (at >= oldest && (kind === 'state' || (kind === 'missing' && number !== undefined)));
  const knownAnswer = (panelId: number, version: string | undefined): Answered | undefined =>
    last.answers.find((one) => one.panelId === panelId && one.version === version && isOfNow(one));
  /** Reading new versions and proving the ones before ask for the same. */
  const ask = async (panelId: number, version?: string): Promise<ArchiveAnswer> => {
    const known = knownAnswer(panelId, version);
    if (known) return remember(known);
    const answer = await archive.read(panelId, version);
    return remember({ panelId, version, at: clock.now(), answer });
  };
  const remember = (found: Answered): ArchiveAnswer => {
    const isReplaced = (one: Answered): boolean => one.version === found.version;
    const all = [...last.answers.filter((one) => one.panelId === found.panelId && !isReplaced(one)), found];
    const held = all.filter(({ answer }) => answer.kind === 'state');
    last.answers = held.length > MAX_STATES ? all.filter((one) => one !== held[0]) : all;
    return found.answer;
  };
  /** Notes that a version cannot be read; it is asked for again after a day. */
  const noteUnread = async (version: NamedVersion, answer: NoState): Promise<void> => {
    const why =
      answer.kind === 'missing'
        ? 'the catalogue does not serve it'
        : `the catalogue served something else: ${answer.why}`;
    await book.remain(version, why, clock.now() + RETRY_MS);
  };
  /** The panel as it is now; null where the catalogue does not serve it. */
  const present = async (panelId: number): Promise<VersionState | null> => {
    const answer = await ask(panelId);
    return answer.kind === 'state' ? answer.state : null;
  };
  /** A version; null where the catalogue does not serve it, which is noted. */
  const version = async (wanted: NamedVersion): Promise<VersionState | null> => {
    const answer = await ask(wanted.panelId, wanted.version);
    if (answer.kind === 'state') return answer.state;
    await noteUnread(wanted, answer);
    return null;
  };
  /** Whether a version was not served, and is not to be asked for again yet. */
  const isTriedLater = (panelId: number, number: string): boolean =>
    book.record.unproven.some(
      (one) => one.panelId === panelId && one.version === number && one.retryAt > clock.now(),
    );
  /** What the archive has under a number; null where that is asked later. */
  const archived = async (panelId: number, number: string): Promise<ArchiveAnswer | null> =>
    isTriedLater(panelId, number) ? null : ask(panelId, number);
  return {
    present,
    version,
    archived,
    /**
     * The archive of a version that is kept as it was before its end; null where that is asked later. It is not asked for where a poll or a
     * proof read it since.
     * @param next the version that the panel had when it had ended; null where that is unknown
     */
    async ended(
      kept: VersionSummary,
      next: Pick<VersionSummary, 'validFrom'> | null,
    ): Promise<ArchiveAnswer | null> {
      const { panelId, version: number } = kept;
      const mayBeRead = kept.source === 'present' && !knownAnswer(panelId, number);
      const state = mayBeRead && next ? await archive.readSince(kept, next.validFrom) : null;
      // Nothing came before a baseline by which a lie of minutes would be found out: only a reading of another time proves it.
      const isSameTime =
        state !== null && kept.proof.kind === 'baseline' && state.readAt - kept.readAt < minutes(60);
      if (!state || isSameTime) return archived(panelId, number);
      return remember({ panelId, version: number, at: clock.now(), answer: { kind: 'state', state } });
    },
    isTriedLater,
    noteUnread,
    /** Notes that a panel which is listed is not shown; it is asked for again after minutes, then ever more rarely. */
    async noteNotShown(listed: NamedVersion): Promise<void> {
      // A catalogue that never showed a state may serve none.
      if (book.record.since === null) return;
      const now = clock.now();
      const isThis = (one: NamedVersion): boolean =>
        one.panelId === listed.panelId && one.version === listed.version;
      const since = book.record.unproven.find(isThis)?.since ?? now;
      const waitMs = Math.min(Math.max(now - since, SHORTEST_MS), RETRY_MS);
      await book.remain(listed, whyUnproven.notShown, now + waitMs);
    },
    /** Whether that was noted, and the panel is not to be asked for again yet. */
    isNotShown: (panelId: number): boolean =>
      book.record.unproven.some(
        (one) => one.panelId === panelId && one.why === whyUnproven.notShown && one.retryAt > clock.now(),
      ),
    /**
     * A kept version as the catalogue serves it now; null where it does not serve it any more.
     * @param since what was asked for after this time need not be asked for again, in milliseconds since the epoch
     */
    async again(kept: VersionSummary, since: number): Promise<VersionState | null> {
      const { panelId, version: number, validTo, source } = kept;
      last.answers = last.answers.filter(
        (one) => one.panelId !== panelId || (one.version ?? number) !== number || readingTime(one) > since,
      );
      // The last version of a panel that is hidden was read from the archive.
      const isShown = source === 'present' && listing?.panels.has(panelId) !== false;
      const now = isShown ? await present(panelId) : null;
      if (now && isSameVersion(now, kept)) return { ...now, validTo };
      const answer = await ask(panelId, number);
      if (answer.kind !== 'state' || !isSameVersion(answer.state, kept)) return null;
      // Where the panel has another version, the archive shows how this one ended.
      return { ...answer.state, source: now ? 'archive' : source, validTo };
    },
  };
}
