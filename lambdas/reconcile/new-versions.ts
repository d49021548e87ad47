import { readLogRows } from '../catalogue/log-row.ts';
import { versionNumbers } from '../events/order.ts';
import type { ArchiveAnswer } from '../panels/archive.ts';
import {
  byBeginning,
  isAhead,
  isSameVersion,
  lastReached,
  readAhead,
  versionsAfter,
} from '../panels/panel-versions.ts';
import { whyUnproven } from '../panels/proof-record.ts';
import { notCompared, type VersionState, type VersionSummary } from '../panels/version-state.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import type { DatedVersion } from '../store/listing.ts';
import { proveKept } from './prove-kept.ts';
import {
  hadAnother,
  hasRowOfBeginning,
  higherBetween,
  isAnew,
  isLost,
  lostBySetBack,
  type StatedVersions,
  statedVersions,
  wentBack,
} from './set-back.ts';
import type { Proving } from './version-prover.ts';
import type { NoState } from './version-reader.ts';

/** Reads the versions that a panel got since its last kept one, and keeps them in their order. */
export async function readNewVersions(panelId: number, proving: Proving): Promise<void> {
  const { states, book, events, reader, listing, clock, overlap } = proving;
  const listed = listing?.panels.get(panelId)?.versions ?? [];
  const [newest] = listed;
  if (newest && reader.isNotShown(panelId)) return;
  const kept = await states.versions(panelId);
  const reached = lastReached(kept);
  const begun = reached ? null : await begin(panelId, listed, proving);
  const first = reached ?? begun?.first;
  if (!first) return;
  // A hidden panel is looked up once, for the versions that it got before it was hidden, and again once another of them is served.
  const isHidden = listing !== null && !listing.panels.has(panelId);
  const isReadHidden = book.isReadHidden(panelId) && !kept.some(isAhead);
  if (newest ? isRead(first, newest) : !isHidden || isReadHidden) return;
  if (listing && book.isListedBefore(panelId, listing)) return;
  // The rows of the versions before may still be missing from the log.
  if (newest && newest.at + overlap > instantOf(clock.now())) return;
  const present = newest ? (begun?.present ?? (await catalogueNow(first, proving))) : null;
  if (newest && !present) {
    await reader.noteNotShown({ panelId, panelName: first.panelName, version: newest.version });
    return;
  }
  // A panel that is set back gets a version that begins then: this answer is an old one.
  if (newest && present && present.validFrom < first.validFrom) {
    const version = { panelId, panelName: first.panelName, version: newest.version };
    if (!isSameVersion(first, { version: newest.version, validFrom: newest.at }))
      await book.remain(version, 'the catalogue serves an older version of the panel');
    return;
  }
  if (listing && present && isSameVersion(first, present)) {
    // While the panel was hidden its archive was kept, and a run that died did not note that it has not ended.
    const state = first.source === 'archive' ? await states.read(first) : null;
    if (state) {
      await states.save({ ...state, source: 'present' });
      await proveKept(panelId, proving);
    } else {
      await book.noteListedBefore(panelId, listing);
    }
    return;
  }
  const stated = statedVersions(await events.of(panelId), listed);
  await follow({ panelId, first, present, stated }, proving);
}

/** Keeps a state; `before` is the version that it followed at once, where that is known. */
async function keep(
  state: VersionState,
  before: VersionSummary | null,
  { states, book }: Proving,
): Promise<void> {
  if (before) await states.note(before, { validTo: state.validFrom });
  await states.save({ ...state, proof: notCompared });
  await book.remain(state, notCompared.why);
}

/** Where the states of a panel begin, and the panel as it is now. */
interface Begun {
  readonly first: VersionState;
  readonly present: VersionState | null;
}

/** Keeps the version with which the states of a panel begin. Null where it is the one that the panel has, or none. */
async function begin(
  panelId: number,
  listed: readonly DatedVersion[],
  proving: Proving,
): Promise<Begun | null> {
  const { states, book, reader, listing } = proving;
  const kept = await states.versions(panelId);
  const [newest] = listed;
  const known = kept.find((one) => newest && isRead(one, newest));
  const present = newest ? ((known && (await states.read(known))) ?? (await reader.present(panelId))) : null;
  const panelName = present?.panelName ?? kept[0]?.panelName ?? listing?.panels.get(panelId)?.name ?? '';
  if (newest && !present) await reader.noteNotShown({ panelId, panelName, version: newest.version });
  // A poll may have asked for versions of a panel that is hidden since.
  if (newest ? !present : kept.length === 0) return null;
  const first = await findFirst({ panelId, panelName, present, listed }, proving);
  if (first) await keep(first, null, proving);
  if (!first || first === present) return null;
  await book.conclude({ ...first, proof: notCompared }, { kind: 'baseline' });
  return { first, present };
}

/** The panel as it is now. One that was hidden since it was listed has an archive: it shows that states are served. */
async function catalogueNow(
  { panelId, version }: VersionSummary,
  { reader }: Proving,
): Promise<VersionState | null> {
  const present = await reader.present(panelId);
  if (!present) await reader.archived(panelId, version);
  return present;
}

/** Keeps the versions that followed the last one, or begins the panel anew where its numbers went back. */
async function follow({ panelId, first, present, stated }: Followed, proving: Proving): Promise<void> {
  const { states, book, reader } = proving;
  const kept = await states.versions(panelId);
  const ask = async (version: string): Promise<VersionState | NoState | null> => {
    const known = kept.findLast((one) => one.version === version && byBeginning(first, one) < 0);
    const state = known && (await states.read(known));
    const answer = state ? null : await reader.archived(panelId, version);
    return state ?? (answer?.kind === 'state' ? answer.state : answer);
  };
  let last: VersionSummary = first;
  const add = async (state: VersionState, isContiguous: boolean): Promise<void> => {
    await keep(state, isContiguous && !hadAnother(stated, last, state) ? last : null, proving);
    last = state;
    await proveKept(panelId, proving);
  };
  const again = await reader.ended(first, present);
  const cameAgain = again?.kind === 'state' && again.state.validFrom > first.validFrom;
  /** Whether a version that began without a row may have followed a higher number. */
  const hadHigher = async (state: VersionState): Promise<boolean> => {
    const [major, minor] = versionNumbers(state.version) ?? [];
    if (minor === undefined || hasRowOfBeginning(stated, state)) return false;
    const above = await ask(`${major}.${minor + 1}`);
    if (above === null || !('entities' in above)) return false;
    // One that began later was made since the panel was read.
    return byBeginning(first, above) < 0 && above.validFrom <= state.validFrom;
  };
  if (present && (cameAgain || wentBack(stated, first, present) || (await hadHigher(present)))) {
    return beginAnew(first, present, stated, proving);
  }
  const known = [...stated.rows, ...stated.listed].map(({ version }) => version);
  const upTo = present?.version ?? null;
  let isContiguous = true;
  // A hidden panel shows no present state to begin anew with.
  if (cameAgain) {
    await beginAnew(first, again.state, stated, proving);
    last = again.state;
  }
  for (const version of versionsAfter({ after: first.version, upTo, known })) {
    if (version.text === upTo) break;
    const answer = await ask(version.text);
    const state = answer && 'entities' in answer ? answer : null;
    const isGap = version.isGap(state !== null);
    if (isGap) isContiguous = false;
    if (isGap && answer && !('entities' in answer))
      await reader.noteUnread({ panelId, panelName: first.panelName, version: version.text }, answer);
    // A number that was skipped may be that of an old version, also of one from before the numbers went back.
    if (!state || byBeginning(last, state) >= 0 || isOfBreak(first, state)) continue;
    if (wentBack(stated, last, state)) {
      await beginAnew(last, present ?? state, stated, proving);
      if (present) return;
      last = state;
    } else {
      await add(state, isContiguous);
    }
    isContiguous = true;
  }
  if (present) {
    if (wentBack(stated, last, present)) await beginAnew(last, present, stated, proving);
    else await add(present, isContiguous);
    return;
  }
  // A hidden panel still has its last version, also where a run died that had read it.
  const newest = last.source === 'archive' && last.validTo === null ? await states.read(last) : null;
  if (newest) {
    await states.save({ ...newest, source: 'present' });
    await proveKept(panelId, proving);
  }
  await book.noteHidden(panelId, again?.kind === 'state');
}

/** Begins a panel anew whose numbers went back: nothing shows for certain which versions it had since the last one. */
async function beginAnew(
  last: VersionSummary,
  present: VersionState,
  stated: StatedVersions,
  proving: Proving,
): Promise<void> {
  const { states, book, log } = proving;
  const { version: after, panelId, panelName } = last;
  const why = `the version numbers of the panel went back after ${after}`;
  log.warn('The version numbers of a panel went back: it begins anew', {
    panelId,
    from: after,
    to: present.version,
  });
  const kept = await states.versions(panelId);
  const unproven = kept.filter((one) => one.proof.kind === 'unproven' && !isAhead(one) && !isLost(one));
  for (const version of unproven) await states.note(version, { proof: lostBySetBack });
  for (const version of higherBetween(stated, last, present)) {
    if (version !== present.version && !kept.some((one) => one.version === version))
      await book.remain({ panelId, panelName, version }, whyUnproven.unread);
  }
  await book.loseUnproven(panelId);
  await states.save({ ...present, proof: { kind: 'unproven', why, after } });
  await book.remain(present, why);
  await proveKept(panelId, proving);
}

interface Followed extends Pick<VersionSummary, 'panelId'> {
  /** The last version that is kept. */
  readonly first: VersionSummary;
  /** The panel as it is now; null where it is hidden. */
  readonly present: VersionState | null;
  readonly stated: StatedVersions;
}

/** Whether a version is from before a panel began anew: one that is set back may keep the beginning of the version that it had. */
const isOfBreak = (first: VersionSummary, { validFrom }: VersionState): boolean =>
  isAnew(first) && validFrom <= first.validFrom;

/** Whether what is kept last is the version that is listed. */
function isRead(
  { version, validFrom, source }: VersionSummary,
  newest: { readonly version: string; readonly at: Instant },
): boolean {
  return version === newest.version && validFrom >= newest.at && source === 'present';
}

interface Panel extends Pick<VersionSummary, 'panelId' | 'panelName'> {
  /** The panel as it is now; null where it is not shown. */
  readonly present: VersionState | null;
  readonly listed: readonly DatedVersion[];
}

interface Search extends Panel {
  readonly proving: Proving;
  /** Since when the log is followed. */
  readonly start: Instant;
  /** What rows and listings say of the panel's versions. */
  readonly stated: readonly DatedVersion[];
}

/**
 * Finds the version with which the states of a panel begin: the one that it had when the log began to be
 * followed, or the oldest one after it that the archive serves; null where there is none. What began since, and is read on the way
 * there, is kept.
 */
async function findFirst(panel: Panel, proving: Proving): Promise<VersionState | null> {
  const { states, events, reader } = proving;
  const { panelId, panelName, present, listed } = panel;
  const start = await events.followedSince();
  if (present && present.validFrom <= start) return present;
  if (present) await states.save({ ...present, proof: readAhead });
  const { rows, listed: found } = statedVersions(await events.of(panelId), []);
  const dated = [...rows, ...found];
  const search = { ...panel, proving, start, stated: [...dated, ...listed] };
  const [firstRow] = dated.filter(({ at }) => at >= start).sort((one, other) => Number(one.at - other.at));
  const version = firstRow?.version ?? present?.version;
  if (version === undefined) return null;
  const answer = await ask(search, version);
  if (answer?.kind !== 'state') {
    if (answer) await reader.noteUnread({ panelId, panelName, version }, answer);
    return present;
  }
  let first = answer.state;
  while (first.validFrom > start) {
    const own = await versionBefore(search, first);
    // A number that came again leads no further back.
    if (!own || own.validFrom > first.validFrom) break;
    first = own;
  }
  return first;
}

async function ask(
  { panelId, present, start, proving: { states, reader } }: Search,
  version: string,
): Promise<ArchiveAnswer | null> {
  if (version === present?.version) return { kind: 'state', state: present };
  const kept = (await states.versions(panelId)).find((one) => one.version === version);
  const known = kept && (await states.read(kept));
  if (known) return { kind: 'state', state: known };
  const answer = await reader.archived(panelId, version);
  if (answer?.kind === 'state' && answer.state.validFrom > start) {
    await states.save({ ...answer.state, proof: readAhead });
  }
  return answer;
}

async function stateOf(search: Search, version: string): Promise<VersionState | null> {
  const answer = await ask(search, version);
  return answer?.kind === 'state' ? answer.state : null;
}

/** The highest minor version of a major one that something states; 0 where nothing does. */
async function statedMinor({ panelId, stated, proving }: Search, major: number): Promise<number> {
  const own = (versions: readonly DatedVersion[]): number | undefined => {
    const minors = versions.map(({ version }) => versionNumbers(version)).filter((one) => one?.[0] === major);
    return minors.reduce<number | undefined>((most, one) => Math.max(most ?? 0, one?.[1] ?? 0), undefined);
  };
  return own(stated) ?? own(versionsIn((await proving.events.rows(panelId)) ?? [])) ?? 0;
}

/** The last minor version of a major one. Nothing lists them: it is searched for, in steps that double. */
async function lastOf(search: Search, major: number): Promise<VersionState | null> {
  const lowest = await statedMinor(search, major);
  let last: VersionState | null = null;
  let [found, missing] = [-1, Number.POSITIVE_INFINITY];
  while (missing - found > 1) {
    const above = found < 1 ? found + 1 : 2 * found;
    const next = missing === Number.POSITIVE_INFINITY ? above : Math.floor((found + missing) / 2);
    const state = await stateOf(search, `${major}.${lowest + next}`);
    if (state) [last, found] = [state, next];
    else missing = next;
  }
  return last;
}

async function versionBefore(search: Search, { version }: VersionState): Promise<VersionState | null> {
  const [major, minor] = versionNumbers(version) ?? [0, 0];
  if (minor > 0) return stateOf(search, `${major}.${minor - 1}`);
  return major > 0 ? lastOf(search, major - 1) : null;
}

const versionsIn = (rows: readonly unknown[]): readonly DatedVersion[] =>
  readLogRows(rows).flatMap((row) =>
    row.kind === 'activity' && row.activity.panel_version
      ? [{ version: row.activity.panel_version, at: row.at }]
      : [],
  );
