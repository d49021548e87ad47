import { comparePanel } from '../differences/compare.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { byBeginning } from '../panels/by-beginning.ts';
import type { UnconfirmedVersion } from '../panels/proof-record.ts';
import { shownState } from '../panels/shown-state.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import { DAY_MS, HOUR_MS } from '../run/clock.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import type { PanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { comparedAgain } from './set-back.ts';
import { isFoundIn, type VersionProver } from './version-prover.ts';

interface ConfirmParts extends Pick<ProofOptions, 'archive' | 'states' | 'clock' | 'log'> {
  readonly book: Pick<ProofBook, 'record' | 'noteReadAgain' | 'refute'>;
  readonly prover: Pick<VersionProver, 'compare'>;
  readonly events: Pick<PanelEvents, 'of'>;
}

const millisecondsOf = (instant: Instant): number => Number(instant / 1000n);

/** Whether a state is to be read again: an hour and a day after something was published of it, and an hour after a contradiction. */
export function isDueAgain({ publishedAt, readAt, otherwise }: UnconfirmedVersion, now: number): boolean {
  if (otherwise !== null) return now - readAt >= HOUR_MS;
  return now - publishedAt >= (readAt - publishedAt < HOUR_MS ? HOUR_MS : DAY_MS);
}

/**
 * Returns what reads the states of a panel again of which a change without a row was published: a catalogue that lied then shows
 * something else later. Where two readings an hour apart agree on it, what undoes the false changes is published, and the versions
 * after it are compared again. A later version of the panel that shows the same needs no reading of the version itself.
 *
 * What it returns says whether versions were compared again.
 * @throws {ArchivePaused} where no request may be sent; {LogUnread} where the log has to be read first
 */
export function createConfirmPublished({
  archive,
  states,
  book,
  prover,
  events,
  clock,
  log,
}: ConfirmParts): (panelId: number) => Promise<boolean> {
  /** A kept version as the catalogue shows it now; null where it shows none. */
  const readAgain = async (kept: VersionSummary): Promise<VersionState | null> => {
    const { panelId, version, validFrom, validTo, source } = kept;
    // The last version of a panel that is hidden is in the archive alone.
    for (const asked of source === 'present' ? [undefined, version] : [version]) {
      const answer = await archive.read(panelId, asked);
      if (answer.kind !== 'state') continue;
      const { state } = answer;
      if (state.version === version && state.validFrom === validFrom) return { ...state, source, validTo };
    }
    return null;
  };

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
      log.warn('Later readings contradict what was published of a state; it is corrected', {
        panelId,
        version,
      });
    const since = (await states.versions(panelId)).filter((one) => byBeginning(one, summary) > 0);
    const found: VersionState[] = [];
    for (const one of since) {
      const again = (await readAgain(one)) ?? (await states.read(one));
      if (again) found.push({ ...again, proof: comparedAgain(one) });
    }
    // The count of proven versions falls first: a run that dies in between understates it.
    await book.refute(summary, since);
    for (const state of found) await states.save(state);
    const readAt = instantOf(shownAt);
    const end = summary.source === 'present' ? readAt : (summary.validTo ?? readAt);
    const after = { ...shown, readAt };
    await prover.compare({ before, after, end, kept: summary, isConfirmed: true });
  };

  /**
   * When a later version was read that shows what was published of a version: now, where it has to be read again for that. Null where
   * only the version itself can show it.
   */
  const shownLater = async (
    one: UnconfirmedVersion,
    { summary, newest, readNewest }: Later,
  ): Promise<number | null> => {
    if (one.isRecovered || one.otherwise !== null || byBeginning(summary, newest) >= 0) return null;
    const [state, later] = [await states.read(summary), await states.read(newest)];
    const published = (await events.of(one.panelId)).filter((event) => isFoundIn(event, summary));
    if (!state || !later || !isShownBy(later, { state, published })) return null;
    const readAt = millisecondsOf(later.readAt);
    if (!isDueAgain({ ...one, readAt }, clock.now())) return readAt;
    return (await readNewest())?.sha256 === newest.sha256 ? clock.now() : null;
  };

  return async (panelId) => {
    const now = clock.now();
    const due = book.record.unconfirmed.filter((one) => one.panelId === panelId && isDueAgain(one, now));
    let isCompared = false;
    let again: VersionState | null | undefined;
    for (const one of due) {
      const kept = await states.versions(panelId);
      const newest = kept.at(-1);
      const summary = kept.find(
        ({ version, validFrom }) => version === one.version && validFrom === one.validFrom,
      );
      // One reading of the panel says of each of its versions what it shows of them.
      const readNewest = async () => {
        if (again === undefined && newest) again = await readAgain(newest);
        return again ?? null;
      };
      const laterAt = summary && newest ? await shownLater(one, { summary, newest, readNewest }) : null;
      if (laterAt !== null) {
        const isDone = laterAt - one.publishedAt >= DAY_MS;
        await book.noteReadAgain(one, isDone ? null : { readAt: laterAt, otherwise: null });
        continue;
      }
      const shown = summary ? await (summary === newest ? readNewest() : readAgain(summary)) : null;
      const isOther = shown !== null && (one.isRecovered || shown.sha256 !== summary?.sha256);
      const isDone = summary === undefined || (!isOther && now - one.publishedAt >= DAY_MS);
      const read = { readAt: now, otherwise: isOther ? shown.sha256 : null };
      if (summary && isOther && shown.sha256 === one.otherwise) {
        await compareAgain(summary, shown, one.readAt);
        again = undefined;
        isCompared = true;
      } else {
        await book.noteReadAgain(one, isDone ? null : read);
      }
    }
    return isCompared;
  };
}

interface Later {
  readonly summary: VersionSummary;
  /** The last version of the panel that is kept. */
  readonly newest: VersionSummary;
  /** Asks for it again, once. */
  readonly readNewest: () => Promise<VersionState | null>;
}

interface Published {
  readonly state: VersionState;
  /** What was published of it that only states show. */
  readonly published: readonly PanelEvent[];
}

/** Whether a later state still shows what was published of an earlier one. */
function isShownBy(later: VersionState, { state, published }: Published): boolean {
  if (published.length === 0) return false;
  const { differences } = comparePanel({
    before: shownState(state),
    events: [],
    after: shownState(later),
    via: 'snapshot',
  });
  return !differences.some(({ entity, change }) =>
    published.some(({ data: { entity: own } }) => {
      // A gene that got its former symbol again is named by that.
      const isFormer = 'from' in change && change.from === own?.name;
      return own?.type === entity?.type && (own?.name === entity?.name || isFormer);
    }),
  );
}
