import { notCompared, type VersionState, type VersionSummary } from '../panels/version-state.ts';
import { highestOf, versionsAfter } from '../panels/versions-after.ts';
import type { Listing } from '../store/listing.ts';
import type { PanelEvents } from './panel-events.ts';
import type { ProofOptions } from './proof-options.ts';

interface ArchivedParts extends Pick<ProofOptions, 'archive' | 'states'> {
  readonly events: Pick<PanelEvents, 'of'>;
  readonly listing: Listing | null;
}

/** Returns what reads every version of a panel that the archive has, from its first one, up to the one that is listed. */
export function createReadArchived({
  archive,
  states,
  events,
  listing,
}: ArchivedParts): (panelId: number) => Promise<void> {
  /** Nothing announced the version: it is kept where the archive has it. */
  const ask = async (panelId: number, version: string): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind !== 'state') return null;
    await states.save(answer.state);
    return answer.state;
  };
  return async (panelId) => {
    const kept = new Map((await states.versions(panelId)).map((one) => [one.version, one]));
    const newest = listing?.panels.get(panelId)?.versions[0]?.version ?? highestOf([...kept.keys()]);
    if (newest === undefined) return;
    const stated = (await events.of(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
    let last: VersionSummary | undefined;
    const known = [...stated, ...kept.keys()];
    for (const version of versionsAfter({ after: null, upTo: newest, known })) {
      const own = kept.get(version.text);
      const state = own ?? (version.text === newest ? null : await ask(panelId, version.text));
      if (state && last?.validTo === null) await states.note(last, { validTo: state.validFrom });
      if (last && own?.proof.kind === 'baseline') await states.note(own, { proof: notCompared });
      const isGap = version.isGap(state !== null);
      last = state ?? (isGap ? undefined : last);
    }
  };
}
