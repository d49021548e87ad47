import { panelDetailSchema } from '../../lambdas/catalogue/schemas.ts';
import { stateFromDetail } from '../../lambdas/panels/state-from-detail.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { PanelDetails } from '../../sandbox/catalogue/content.ts';

/** A panel, as it was from one look at the catalogue to the next. */
interface ObservedState extends Pick<VersionState, 'version' | 'validFrom' | 'sha256' | 'entities'> {
  readonly seenAt: Instant;
}

/** What the panels of a made-up catalogue truly held, looked at after each of its actions. */
export interface ObservedPanels {
  /** Notes what each panel holds at an instant, also while it is hidden: the archive serves it. */
  look(now: Instant): void;
  /** The versions in which a panel was public, oldest first; a number that came again counts again. */
  versionsOf(panelId: number): readonly ObservedState[];
  /** The version that a panel had at an instant, as it was seen first; undefined where it was not public by then. */
  at(panelId: number, instant: Instant): ObservedState | undefined;
  /** The content that was seen at or before an instant. */
  seenAt(panelId: number, instant: Instant): string | undefined;
  /** What a panel held under a number: at each look, and when it ended. */
  contentsOf(panelId: number, version: string): readonly Pick<VersionState, 'entities'>[];
  /** The content of a version when it ended, or at the last look; of one between two looks, that of its archive. */
  endOf(panelId: number, version: Pick<VersionState, 'version' | 'validFrom'>): string | undefined;
  isPublic(panelId: number): boolean;
  ids(): readonly number[];
}

/** @param mostPanels the ids that are looked at are those up to it */
export function observePanels(details: PanelDetails, mostPanels: number): ObservedPanels {
  /** While they were public. */
  const seen = new Map<number, ObservedState[]>();
  const all = new Map<number, ObservedState[]>();
  const isSame = (one: Pick<VersionState, 'version' | 'validFrom'>) => (other: ObservedState) =>
    one.version === other.version && one.validFrom === other.validFrom;
  const stateOf = (detail: object, now: Instant): ObservedState => {
    const reading = { source: 'present', readAt: now, proof: { kind: 'proven' } } as const;
    return { ...stateFromDetail(panelDetailSchema.parse(detail), reading), seenAt: now };
  };
  /** What a hidden panel holds: the last version of those near the last one that was seen. */
  const hidden = (id: number, now: Instant): ObservedState | undefined => {
    const last = all.get(id)?.at(-1);
    const [major = 0, minor = 0] = last?.version.split('.').map(Number) ?? [];
    return [`${major}.${minor}`, `${major}.${minor + 1}`, `${major}.${minor - 1}`, `${major + 1}.0`]
      .flatMap((version) => (last && details.version(id, version)) ?? [])
      .map((detail) => stateOf(detail, now))
      .sort((one, other) => Number(other.validFrom - one.validFrom))[0];
  };
  const add = (to: Map<number, ObservedState[]>, id: number, state: ObservedState): void => {
    const own = to.get(id) ?? [];
    to.set(id, own);
    const last = own.at(-1);
    if (last?.sha256 !== state.sha256 || !isSame(last)(state)) own.push(state);
  };
  /** What the archive has under a number. */
  const archivedOf = (panelId: number, version: string): readonly ObservedState[] => {
    const archived = details.version(panelId, version);
    return archived ? [stateOf(archived, 0n)] : [];
  };
  return {
    look(now) {
      for (let id = 1; id <= mostPanels; id += 1) {
        const detail = details.present(id);
        const state = detail ? stateOf(detail, now) : hidden(id, now);
        if (state) add(all, id, state);
        if (state && detail) add(seen, id, state);
      }
    },
    contentsOf(panelId, version) {
      const looked = (all.get(panelId) ?? []).filter((one) => one.version === version);
      // One form may raise the version twice, between two looks.
      return [...looked, ...archivedOf(panelId, version)];
    },
    versionsOf: (panelId) =>
      (seen.get(panelId) ?? []).filter((one, index, all) => !all.slice(0, index).some(isSame(one))),
    // A version may begin before it shows up, where its rows arrive late.
    at: (panelId, instant) => seen.get(panelId)?.findLast(({ validFrom }) => validFrom <= instant),
    seenAt: (panelId, instant) => all.get(panelId)?.findLast(({ seenAt }) => seenAt <= instant)?.sha256,
    endOf: (panelId, version) =>
      [...archivedOf(panelId, version.version), ...(all.get(panelId) ?? [])].findLast(isSame(version))
        ?.sha256,
    isPublic: (panelId) => details.present(panelId) !== undefined,
    ids: () => [...seen.keys()],
  };
}
