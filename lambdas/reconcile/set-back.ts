import { isSilent } from '../differences/difference.ts';
import { isBeforeVersion, OPEN_TRANSACTION, timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { isAhead, isSameVersion } from '../panels/panel-versions.ts';
import { notCompared, type Proof, type VersionSummary } from '../panels/version-state.ts';
import { type Instant, minutes } from '../run/instant.ts';
import type { DatedVersion } from '../store/listing.ts';

type Begun = Pick<VersionSummary, 'version' | 'validFrom'>;

/** Rows of a version may be a little older or younger than it. */
const A_MINUTE: Instant = minutes(1);

/** The pages of a listing are read one after the other, and dated by the last: it may show a panel as it was so long before. */
const TEN_MINUTES: Instant = minutes(10);

/** A listing is dated by whole seconds: it may show a version that began a moment later. */
const A_SECOND: Instant = minutes(1 / 60);

/**
 * The version after which the numbers of a panel went back, where it began anew with this one: nothing is proven across that break.
 * Undefined for any other version.
 */
export const begunAnewAfter = ({ proof }: Pick<VersionSummary, 'proof'>): string | undefined =>
  proof.kind === 'unproven' || proof.kind === 'baseline' ? proof.after : undefined;

/** Whether a panel began anew with a version. */
export const isAnew = (version: Pick<VersionSummary, 'proof'>): boolean =>
  begunAnewAfter(version) !== undefined;

/** Whether the numbers of a panel went back between two states, so that they order nothing. */
export const isBreak = (before: VersionSummary, after: VersionSummary): boolean =>
  isAnew(after) && !isSameVersion(before, after);

/** The proof of a version that was not compared before the numbers of its panel went back. */
export const lostBySetBack = {
  kind: 'unproven',
  why: 'nothing can prove it any more: the version numbers of the panel went back after it',
  lost: true,
} as const satisfies Proof;

/** Whether that was noted of a version. */
export const isLost = ({ proof }: Pick<VersionSummary, 'proof'>): boolean =>
  proof.kind === 'unproven' && proof.lost === true;

/** What is noted of a version that is compared again. */
export function comparedAgain(version: VersionSummary): Proof {
  if (isAhead(version)) return version.proof;
  const after = begunAnewAfter(version);
  return after === undefined ? notCompared : { ...notCompared, after };
}

/** What is known of the versions that a panel had. */
export interface StatedVersions {
  readonly rows: readonly DatedVersion[];
  readonly listed: readonly DatedVersion[];
}

const namesKnownVersion = /panel\.(?:withdrawn|published|signed-off)\.v1$/;

/** The versions that the events of a panel and its listing state, and when it had them. */
export function statedVersions(
  events: readonly PanelEvent[],
  listed: readonly DatedVersion[],
): StatedVersions {
  const dated = events.flatMap((event) => {
    const { panel, change } = event.data;
    const isRow = !isSilent(change);
    // What a list says of whether a panel is shown or signed off names the version that was known of it then.
    if (!isRow && namesKnownVersion.test(event.type)) return [];
    return panel?.version ? [{ version: panel.version, at: timeOf(event), isRow }] : [];
  });
  return {
    rows: dated.filter(({ isRow }) => isRow),
    // A listing or a state shows a version at any time of it.
    listed: [...dated.filter(({ isRow }) => !isRow), ...listed],
  };
}

/** Whether a row shows how a version began: one that states it is as old as the version. */
export const hasRowOfBeginning = ({ rows }: StatedVersions, { version, validFrom }: Begun): boolean =>
  rows.some(
    (row) => row.version === version && row.at + A_MINUTE >= validFrom && row.at <= validFrom + A_MINUTE,
  );

/** Whether something states that a panel had another version between two: a higher number, or the same one before it began. */
export const hadAnother = ({ rows, listed }: StatedVersions, from: Begun, to: Begun): boolean =>
  [...rows, ...listed].some(
    ({ version, at }) =>
      at > from.validFrom &&
      (version === to.version
        ? at + A_MINUTE < to.validFrom
        : at + A_SECOND < to.validFrom && isBeforeVersion(to.version, version)),
  );

/** The numbers above that of an earlier version that something states between it and a later one. */
export const higherBetween = (
  { rows, listed }: StatedVersions,
  from: Begun,
  to: Begun,
): readonly string[] => [
  ...new Set(
    [...rows, ...listed]
      .filter(({ at }) => at > from.validFrom && at < to.validFrom)
      .map(({ version }) => version)
      .filter((version) => isBeforeVersion(from.version, version)),
  ),
];

/**
 * Whether the numbers of a panel went back between two versions: the later one has no higher number, or something in between states
 * a lower number than the first or a higher one than the last. A row may be stamped long before its version begins, or after it ended.
 */
export function wentBack({ rows, listed }: StatedVersions, from: Begun, to: Begun): boolean {
  if (!isBeforeVersion(from.version, to.version)) return true;
  const isHigher = ({ version, at }: DatedVersion, before: Instant): boolean =>
    at > from.validFrom && at + before < to.validFrom && isBeforeVersion(to.version, version);
  const isLower = ({ version, at }: DatedVersion, after: Instant): boolean =>
    at > from.validFrom + after && isBeforeVersion(version, from.version);
  return (
    rows.some((row) => isLower(row, OPEN_TRANSACTION) || isHigher(row, OPEN_TRANSACTION)) ||
    listed.some((one) => isLower(one, TEN_MINUTES) || isHigher(one, A_SECOND))
  );
}
