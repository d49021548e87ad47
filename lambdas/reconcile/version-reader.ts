import type { ArchiveAnswer } from '../panels/archive.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import type { Listing } from '../store/listing.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';

/** An answer without a state. */
export type NoState = Exclude<ArchiveAnswer, { kind: 'state' }>;
type NamedVersion = Pick<VersionSummary, 'panelId' | 'panelName' | 'version'>;

/**
 * Asks the catalogue for the states that a proof needs. Each method throws {ArchivePaused} where no request may be sent, and
 * {CatalogueError} where the catalogue is out of order.
 */
export interface VersionReader {
  /** The panel as it is now; null where the catalogue does not serve it. */
  present(panelId: number): Promise<VersionState | null>;
  /** What the archive has under a number; null where that is asked later. */
  archived(panelId: number, version: string): Promise<ArchiveAnswer | null>;
  /** A version; null where the catalogue does not serve it, which is noted. */
  version(version: NamedVersion): Promise<VersionState | null>;
  /** A state as the catalogue serves it now: it is asked again. */
  again(state: VersionState): Promise<VersionState | null>;
  /** Whether a version was not served, and is not to be asked for again yet. */
  isTriedLater(panelId: number, version: string): boolean;
  /** Notes that a version cannot be read; it is asked for again after a day. */
  noteUnread(version: NamedVersion, answer: NoState): Promise<void>;
}

interface ReaderParts {
  readonly run: Pick<ProofOptions, 'archive' | 'clock'>;
  readonly book: ProofBook;
  readonly listing: Listing | null;
}

/** A version that the catalogue did not serve is asked for again after this time. */
const RETRY_MS = 24 * 60 * 60 * 1000;

/** A reader for one run, which notes in the book what it cannot read. */
export function createVersionReader({ run: { archive, clock }, book, listing }: ReaderParts): VersionReader {
  /** What the archive answered last: reading and proving new versions both ask for the one before. */
  let answered: {
    readonly panelId: number;
    readonly version: string;
    readonly answer: ArchiveAnswer;
  } | null = null;
  const ask = async (panelId: number, version: string): Promise<ArchiveAnswer> => {
    if (answered?.panelId !== panelId || answered.version !== version) {
      answered = { panelId, version, answer: await archive.read(panelId, version) };
    }
    return answered.answer;
  };
  const noteUnread: VersionReader['noteUnread'] = async (version, answer) => {
    const why =
      answer.kind === 'missing'
        ? 'the catalogue does not serve it'
        : `the catalogue served something else: ${answer.why}`;
    await book.remain(version, why, clock.now() + RETRY_MS);
  };
  const present: VersionReader['present'] = async (panelId) => {
    const answer = await archive.read(panelId);
    return answer.kind === 'state' ? answer.state : null;
  };
  const version: VersionReader['version'] = async (wanted) => {
    const answer = await ask(wanted.panelId, wanted.version);
    if (answer.kind === 'state') return answer.state;
    await noteUnread(wanted, answer);
    return null;
  };
  const isTriedLater: VersionReader['isTriedLater'] = (panelId, number) =>
    book.record.unproven.some(
      (one) => one.panelId === panelId && one.version === number && one.retryAt > clock.now(),
    );
  return {
    present,
    version,
    isTriedLater,
    noteUnread,
    archived: async (panelId, number) => (isTriedLater(panelId, number) ? null : ask(panelId, number)),
    async again(state) {
      answered = null;
      // The last version of a panel that is hidden was read from the archive.
      const isShown = state.source === 'present' && listing?.panels.has(state.panelId) !== false;
      const asked = isShown ? await present(state.panelId) : await version(state);
      return asked && { ...asked, source: state.source };
    },
  };
}
