import { byBeginning } from '../panels/panel-versions.ts';
import type { UnconfirmedVersion } from '../panels/proof-record.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import { DAY_MS, HOUR_MS } from '../run/clock.ts';
import { instantOf } from '../run/instant.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { begunAnewAfter, comparedAgain, isLost, lostBySetBack } from './set-back.ts';
import type { VersionProver } from './version-prover.ts';
import type { VersionReader } from './version-reader.ts';

interface ConfirmParts extends Pick<ProofOptions, 'states' | 'clock' | 'log'> {
  readonly book: Pick<ProofBook, 'record' | 'noteReadAgain' | 'refute' | 'loseUnproven'>;
  readonly prover: Pick<VersionProver, 'compare'>;
  readonly ask: VersionReader['again'];
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
 * Returns what reads the states of a panel again of which a change without a row was published: a catalogue that lied then shows
 * something else later. Where two readings an hour apart agree on it, what undoes the false changes is published, and the versions
 * after it are compared again.
 * @throws {ArchivePaused} where no request may be sent; {LogUnread} where the log has to be read first
 */
export function createConfirmPublished({
  states,
  book,
  prover,
  ask,
  clock,
  log,
}: ConfirmParts): (panelId: number) => Promise<void> {
  /** @param shownAt when the catalogue showed the same first */
  const compareAgain = async (
    summary: VersionSummary,
    shown: VersionState,
    shownAt: number,
  ): Promise<void> => {
    const { panelId, version } = summary;
    const before = await states.read(summary);
    if (!before) return;
    if (shown.sha256 !== before.sha256)
      log.warn('Later readings contradict what was read of a state; what was published of it is corrected', {
        panelId,
        version,
      });
    const after = (await states.versions(panelId)).filter((one) => byBeginning(one, summary) > 0);
    const anew = after.findIndex((one) => begunAnewAfter(one) !== undefined);
    const since: VersionSummary[] = [];
    const found: VersionState[] = [];
    const lost: VersionSummary[] = [];
    let isAnewOther = false;
    for (const [index, one] of after.entries()) {
      // What a panel held when it began anew was compared with what came before; what came later was not.
      if (anew >= 0 && index > anew && !isAnewOther) break;
      if (isLost(one)) continue;
      since.push(one);
      const shownNow = await ask(one, shownAt);
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
    await prover.compare({ before, after: { ...shown, readAt }, end, kept: summary, isConfirmed: true });
  };

  return async (panelId) => {
    const now = clock.now();
    const due = book.record.unconfirmed.filter((one) => one.panelId === panelId && isDueAgain(one, now));
    for (const one of due) {
      const kept = await states.versions(panelId);
      const summary = kept.find(
        ({ version, validFrom }) => version === one.version && validFrom === one.validFrom,
      );
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
      const shown = summary ? await ask(summary, dueAt(one) - 1) : null;
      // A run that died may have published a change of one content, and kept another: what is shown must be both.
      const isOther = shown !== null && [one.sha256, summary?.sha256].some((each) => each !== shown.sha256);
      const isDone = summary === undefined || (!isOther && now - one.publishedAt >= DAY_MS);
      const read = { readAt: now, otherwise: isOther ? shown.sha256 : null };
      if (summary && isOther && shown.sha256 === one.otherwise)
        await compareAgain(summary, shown, one.readAt);
      else await book.noteReadAgain(one, isDone ? null : read);
    }
  };
}
