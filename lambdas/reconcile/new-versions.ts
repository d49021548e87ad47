import { versionNumbers } from '../events/panel-version.ts';
import { byBeginning } from '../panels/by-beginning.ts';
import { lastReached } from '../panels/last-reached.ts';
import { notCompared, type VersionState, type VersionSummary } from '../panels/version-state.ts';
import { versionsAfter } from '../panels/versions-after.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import type { DatedVersion, Listing } from '../store/listing.ts';
import { createFirstVersion } from './first-version.ts';
import type { PanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { hadHigher, hasRowOfBeginning, isNext, readSetBack, statedVersions, wasSetBack } from './set-back.ts';
import type { NoState, VersionReader } from './version-reader.ts';

interface NewVersionsParts {
  readonly run: ProofOptions;
  readonly book: ProofBook;
  readonly events: PanelEvents;
  readonly listing: Listing | null;
  readonly reader: VersionReader;
  /** Proves what can be proven of a panel. */
  readonly proveKept: (panelId: number) => Promise<void>;
}

/** Where the states of a panel begin, and the panel as it is now. */
interface Begun {
  readonly first: VersionState;
  readonly present: VersionState | null;
}

/** Returns what reads the versions that a panel got since its last kept one, and keeps them in their order. */
export function createNewVersions({
  run,
  book,
  events,
  listing,
  reader,
  proveKept,
}: NewVersionsParts): (panelId: number) => Promise<void> {
  const { states, clock, overlap } = run;

  /** Keeps a state; `before` is the version that it followed at once, where that is known. */
  const keep = async (state: VersionState, before: VersionSummary | null): Promise<void> => {
    if (before) await states.note(before, { validTo: state.validFrom });
    await states.save({ ...state, proof: notCompared });
    await book.remain(state, notCompared.why);
  };

  const findFirst = createFirstVersion({ states, events, reader });

  /** Keeps the version with which the states of a panel begin. Null where it is the one that the panel has, or none. */
  const begin = async (panelId: number, listed: readonly DatedVersion[]): Promise<Begun | null> => {
    const kept = await states.versions(panelId);
    const [newest] = listed;
    const known = kept.find((one) => newest && isRead(one, newest));
    const present = newest
      ? ((known && (await states.read(known))) ?? (await reader.present(panelId)))
      : null;
    const panelName = present?.panelName ?? kept[0]?.panelName ?? listing?.panels.get(panelId)?.name ?? '';
    if (newest && !present) await reader.noteNotShown({ panelId, panelName, version: newest.version });
    // A poll may have asked for versions of a panel that is hidden since.
    if (newest ? !present : kept.length === 0) return null;
    const first = await findFirst({ panelId, panelName, present, listed });
    if (first) await keep(first, null);
    if (!first || first === present) return null;
    await book.conclude({ ...first, proof: notCompared }, { kind: 'baseline' });
    return { first, present };
  };

  /** The panel as it is now. One that was hidden since it was listed has an archive: it shows that states are served. */
  const catalogueNow = async ({ panelId, version }: VersionSummary): Promise<VersionState | null> => {
    const present = await reader.present(panelId);
    if (!present) await reader.archived(panelId, version);
    return present;
  };

  return async (panelId) => {
    const listed = listing?.panels.get(panelId)?.versions ?? [];
    const [newest] = listed;
    if (newest && reader.isNotShown(panelId)) return;
    const reached = lastReached(await states.versions(panelId));
    const begun = reached ? null : await begin(panelId, listed);
    const first = reached ?? begun?.first;
    if (!first) return;
    // A hidden panel is looked up once, for the versions that it got before it was hidden.
    const isHidden = listing !== null && !listing.panels.has(panelId);
    if (newest ? isRead(first, newest) : !isHidden || book.isReadHidden(panelId)) return;
    if (listing && book.isListedBefore(panelId, listing)) return;
    // The rows of the versions before may still be missing from the log.
    if (newest && newest.at + overlap > instantOf(clock.now())) return;
    const present = newest ? (begun?.present ?? (await catalogueNow(first))) : null;
    if (newest && !present) {
      await reader.noteNotShown({ panelId, panelName: first.panelName, version: newest.version });
      return;
    }
    // A panel that is set back gets a version that begins then: this answer is an old one.
    if (newest && present && present.validFrom < first.validFrom) {
      const version = { panelId, panelName: first.panelName, version: newest.version };
      if (isOther(first, { version: newest.version, validFrom: newest.at }))
        await book.remain(version, 'the catalogue serves an older version of the panel');
      return;
    }
    if (listing && present && newest?.version !== first.version && !isOther(first, present)) {
      await book.noteListedBefore(panelId, listing);
      return;
    }
    const kept = await states.versions(panelId);
    const stated = statedVersions(await events.of(panelId), listed);
    const answers = new Map<string, NoState>();
    const ahead = kept.filter((one) => byBeginning(first, one) < 0);
    const ask = async (version: string): Promise<VersionState | null> => {
      const known = ahead.find((one) => one.version === version);
      const state = known && !isBack ? await states.read(known) : null;
      if (state) return state;
      const answer = await reader.archived(panelId, version);
      if (answer?.kind === 'state') return answer.state;
      if (answer) answers.set(version, answer);
      return null;
    };
    const noteMissing = async (version: string): Promise<void> => {
      const answer = answers.get(version);
      if (answer) await reader.noteUnread({ panelId, panelName: first.panelName, version }, answer);
    };
    let isBack = !present;
    const again = await ask(first.version);
    let last: VersionSummary = first;
    const add = async (state: VersionState, isContiguous: boolean): Promise<void> => {
      const followed =
        isContiguous && isOther(last, state) && !hadHigher(stated, { after: last, before: state });
      await keep(state, followed ? last : null);
      last = state;
      await proveKept(panelId);
    };
    const isUpgrade = async (to: VersionState): Promise<boolean> => {
      if (hasRowOfBeginning(stated, to)) return false;
      const [major, minor] = versionNumbers(to.version) ?? [];
      const above = minor === undefined ? null : await ask(`${major}.${minor + 1}`);
      return above !== null && byBeginning(first, above) < 0;
    };
    isBack ||= wasSetBack({ last: first, again, present, stated });
    if (!present || isBack || (await isUpgrade(present))) {
      isBack = true;
      const { begun, missing } = await readSetBack({ last: first, again, present, stated, ask });
      const versions = present ? [...begun.filter((one) => isOther(one, present)), present] : begun;
      for (const [index, state] of versions.entries()) {
        // A hidden panel still has its last version.
        const isLast = index === versions.length - 1;
        await add(isLast ? { ...state, source: 'present' } : state, isNext(last, state, versions));
      }
      for (const version of missing) await noteMissing(version);
      if (!present) await book.noteHidden(panelId, again !== null);
      return;
    }
    let isContiguous = true;
    const known = [...stated.rows, ...stated.listed].map(({ version }) => version);
    for (const version of versionsAfter({ after: first.version, upTo: present.version, known })) {
      if (version.text === present.version) break;
      const state = await ask(version.text);
      const isGap = version.isGap(state !== null);
      if (isGap) isContiguous = false;
      if (isGap) await noteMissing(version.text);
      // A number that was skipped may be that of an old version.
      if (!state || byBeginning(last, state) >= 0) continue;
      await add(state, isContiguous);
      isContiguous = true;
    }
    await add(present, isContiguous);
  };
}

type Beginning = Pick<VersionSummary, 'version' | 'validFrom'>;

/** Whether two versions differ: a number may come again. */
const isOther = (one: Beginning, other: Beginning): boolean =>
  one.version !== other.version || one.validFrom !== other.validFrom;

/** Whether what is kept last is the version that is listed. */
function isRead(
  { version, validFrom, source }: VersionSummary,
  newest: { readonly version: string; readonly at: Instant },
): boolean {
  return version === newest.version && validFrom >= newest.at && source === 'present';
}
