import { contradictionsIn } from '../../lambdas/differences/corrections.ts';
import { timeOf } from '../../lambdas/differences/difference.ts';
import { firstStated } from '../../lambdas/events/corrections.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { loadProofs } from '../../lambdas/panels/proof-record.ts';
import type { VersionSummary } from '../../lambdas/panels/version-state.ts';
import { begunAnewAfter } from '../../lambdas/reconcile/set-back.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import type { History } from '../../lambdas/store/history/history.ts';

/** A version of a panel, and whether the log and the events explain what it held. */
export interface VerifiedVersion {
  readonly panelId: number;
  readonly panelName: string;
  readonly version: string;
  /** Null where the version could not be read. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly source: 'archive' | 'present' | null;
  readonly sha256: string | null;
  /** `explained`: its differences had no row, and were published. `baseline`: nothing is known of before. */
  readonly proof: 'proven' | 'explained' | 'baseline' | 'unproven';
  /** Why it is unproven, or why the panel begins anew with it; null otherwise. */
  readonly why: string | null;
  /** A sentence for each difference that no row states, for each event that was corrected, and for each that contradicts the one before. */
  readonly differences: readonly string[];
}

interface Kept {
  /** The configured name of the catalogue. */
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, 'panels' | 'versions'>;
  readonly documents: Pick<Documents, 'load'>;
  readonly history: Pick<History, 'findWithoutRows'>;
}

interface Wanted {
  /** Ids of panels; every panel where absent. */
  readonly panels: readonly number[] | undefined;
  /** Versions that ended before are left out. */
  readonly since: Instant | undefined;
}

/**
 * The versions that are kept, oldest first within a panel, and those that could not be read.
 * @throws {StateError | HistoryError} when they cannot be read
 */
export async function verifiedVersions(
  kept: Kept,
  { panels, since }: Wanted,
): Promise<readonly VerifiedVersion[]> {
  const { unproven } = await loadProofs(kept.documents);
  const known = (await kept.states.panels()).map(({ panelId }) => panelId);
  const ids = panels ?? [...new Set([...known, ...unproven.map(({ panelId }) => panelId)])];
  const all: VerifiedVersion[] = [];
  for (const id of ids) {
    const versions = await kept.states.versions(id);
    const { differences, contradictory } = await differencesOf(id, kept);
    // Of a version that was read alone the end is unknown: at the latest when the next known one began.
    const recent = versions.filter(({ validTo }, index) => {
      const end = validTo ?? versions[index + 1]?.validFrom ?? null;
      return since === undefined || end === null || end >= since;
    });
    const whyNot = (version: string): string | undefined =>
      unproven.find((one) => one.panelId === id && one.version === version)?.why;
    all.push(
      ...recent.map((summary) => {
        const shown = verified(summary, differences);
        if (contradictory.has(shown.version))
          return { ...shown, proof: 'unproven', why: CONTRADICTS } as const;
        return shown.proof === 'unproven' ? { ...shown, why: whyNot(shown.version) ?? shown.why } : shown;
      }),
    );
    const unread = unproven.filter(
      ({ panelId, version }) => panelId === id && !versions.some((one) => one.version === version),
    );
    all.push(...unread.map(unreadVersion));
    const listed = new Set([...versions, ...unread].map(({ version }) => version));
    all.push(
      ...[...contradictory].flatMap(([version, event]) => {
        const isRecent = since === undefined || timeOf(event) >= since;
        if (listed.has(version) || !isRecent) return [];
        const panelName = event.data.panel?.name ?? '';
        const unread = unreadVersion({ panelId: id, panelName, version, why: CONTRADICTS });
        return [{ ...unread, differences: differences.get(version) ?? [] }];
      }),
    );
  }
  return all;
}

/** Why a version is unproven of which an event contradicts another one. */
export const CONTRADICTS = 'an event contradicts the event before it of its entity';

function verified(
  summary: VersionSummary,
  differences: ReadonlyMap<string, readonly string[]>,
): VerifiedVersion {
  const { panelId, panelName, version, validFrom, validTo, source, sha256, proof } = summary;
  return {
    panelId,
    panelName,
    version,
    validFrom: formatInstant(validFrom),
    validTo: validTo === null ? null : formatInstant(validTo),
    source,
    sha256,
    proof: proof.kind,
    why: whyOf(proof),
    differences: differences.get(version) ?? [],
  };
}

/** Why a version is unproven, or why a panel began anew with it. */
const whyOf = (proof: VersionSummary['proof']): string | null => {
  if (proof.kind === 'unproven') return proof.why;
  const after = begunAnewAfter({ proof });
  return after === undefined
    ? null
    : `the version numbers of the panel went back after ${after}: it begins anew`;
};

function unreadVersion({
  panelId,
  panelName,
  version,
  why,
}: Pick<VerifiedVersion, 'panelId' | 'panelName' | 'version'> & { readonly why: string }): VerifiedVersion {
  const unknown = { validFrom: null, validTo: null, source: null, sha256: null };
  return { panelId, panelName, version, ...unknown, proof: 'unproven', why, differences: [] };
}

interface PanelDifferences {
  readonly differences: ReadonlyMap<string, readonly string[]>;
  /** The versions of which an event contradicts the one before it of its entity, with the last such event. */
  readonly contradictory: ReadonlyMap<string, PanelEvent>;
}

/** The sentences of the events that comparing states found, of the corrections, and of events that contradict each other, by version. */
async function differencesOf(panelId: number, { catalogue, history }: Kept): Promise<PanelDifferences> {
  const found = new Map<string, string[]>();
  const query = { catalogue, filter: { panels: [panelId] }, order: 'oldest' } as const;
  const events: PanelEvent[] = [];
  for await (const event of history.findWithoutRows(query)) {
    events.push(event);
    const { change, panel, summary } = event.data;
    const version = panel?.version;
    const isSnapshot = 'via' in change && change.via === 'snapshot';
    const before = firstStated(event)?.data.summary ?? null;
    if ((!isSnapshot && before === null) || typeof version !== 'string') continue;
    const sentence = before === null ? summary : `${summary} It was published as: ${before}`;
    found.set(version, [...(found.get(version) ?? []), sentence]);
  }
  const contradictory = new Map<string, PanelEvent>();
  for (const { before, event } of contradictionsIn(events)) {
    const version = event.data.panel?.version ?? '';
    const sentence = `${event.data.summary} The event before it said: ${before.data.summary}`;
    found.set(version, [...(found.get(version) ?? []), sentence]);
    contradictory.set(version, event);
  }
  return { differences: found, contradictory };
}
