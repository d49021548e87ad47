import { panelDetailSchema } from '../../lambdas/catalogue/detail-schemas.ts';
import type { Instant } from '../../lambdas/clock/instant.ts';
import { stateFromDetail } from '../../lambdas/panel-states/state-from-detail.ts';
import type { VersionState } from '../../lambdas/panel-states/version-state.ts';
import type { PanelDetails } from '../../sandbox/catalogue/panel-details.ts';

/** A public panel, as it was from one look at the catalogue to the next. */
interface ObservedState extends Pick<VersionState, 'version' | 'validFrom' | 'sha256'> {
  readonly seenAt: Instant;
}

/** What the panels of a made-up catalogue truly held, looked at after each of its actions. */
export interface ObservedPanels {
  /** Notes what each public panel holds at an instant. */
  look(now: Instant): void;
  /** The versions in which a panel was public, oldest first; a number that came again counts again. */
  versionsOf(panelId: number): readonly ObservedState[];
  /** The version that a panel had at an instant, as it was seen first; undefined where it was not public by then. */
  at(panelId: number, instant: Instant): ObservedState | undefined;
  /** The content that was seen at or before an instant. */
  seenAt(panelId: number, instant: Instant): string | undefined;
  /** The content of a version when it ended, or at the last look. */
  endOf(panelId: number, version: Pick<VersionState, 'version' | 'validFrom'>): string | undefined;
  isPublic(panelId: number): boolean;
  ids(): readonly number[];
}

/** @param mostPanels the ids that are looked at are those up to it */
export function observePanels(details: PanelDetails, mostPanels: number): ObservedPanels {
  const seen = new Map<number, ObservedState[]>();
  const isSame = (one: Pick<VersionState, 'version' | 'validFrom'>) => (other: ObservedState) =>
    one.version === other.version && one.validFrom === other.validFrom;
  return {
    look(now) {
      for (let id = 1; id <= mostPanels; id += 1) {
        const detail = details.present(id);
        if (!detail) continue;
        const reading = { source: 'present', readAt: now, proof: { kind: 'proven' } } as const;
        const { version, validFrom, sha256 } = stateFromDetail(panelDetailSchema.parse(detail), reading);
        const own = seen.get(id) ?? [];
        seen.set(id, own);
        const last = own.at(-1);
        if (last?.sha256 !== sha256 || !isSame(last)({ version, validFrom, sha256, seenAt: now })) {
          own.push({ version, validFrom, sha256, seenAt: now });
        }
      }
    },
    versionsOf: (panelId) =>
      (seen.get(panelId) ?? []).filter((one, index, all) => !all.slice(0, index).some(isSame(one))),
    // A version may begin before it shows up, where its rows arrive late.
    at: (panelId, instant) => seen.get(panelId)?.findLast(({ validFrom }) => validFrom <= instant),
    seenAt: (panelId, instant) => seen.get(panelId)?.findLast(({ seenAt }) => seenAt <= instant)?.sha256,
    endOf: (panelId, version) => seen.get(panelId)?.findLast(isSame(version))?.sha256,
    isPublic: (panelId) => details.present(panelId) !== undefined,
    ids: () => [...seen.keys()],
  };
}
