import type { PanelDetails, SignedOffVersion } from './panel-details.ts';

/** Responses of the detail endpoints as they were saved. */
export interface SavedDetails {
  /** By the number of the panel. */
  readonly current: Readonly<Record<string, object>>;
  /** By `<number>@<version>`. */
  readonly versions: Readonly<Record<string, object>>;
  readonly signedOff: readonly SavedSignOff[];
}

/** An entry of `/panels/signedoff/`. */
interface SavedSignOff {
  readonly id: number;
  readonly version: string;
  readonly signed_off: string;
}

/** The panels of saved pages. */
export function savedDetails({ current, versions, signedOff }: SavedDetails): PanelDetails {
  const ids = new Set([...Object.keys(current), ...Object.keys(versions).map((key) => key.split('@')[0])]);
  const byHash = new Map(
    Object.entries(current).flatMap(([id, panel]) =>
      'hash_id' in panel && typeof panel.hash_id === 'string' ? [[panel.hash_id, id] as const] : [],
    ),
  );
  const atVersion = (id: number, version: string): object | undefined => {
    const present = current[id];
    const isPresent = present && 'version' in present && present.version === version;
    return versions[`${id}@${version}`] ?? (isPresent ? present : undefined);
  };
  return {
    panelId(key) {
      const id = byHash.get(key) ?? key;
      return ids.has(id) ? Number(id) : null;
    },
    present: (id) => current[id],
    version: atVersion,
    // Reviews are in no saved page.
    reviewers: () => undefined,
    signOffs: () =>
      signedOff.map((entry): SignedOffVersion => {
        const { signed_off: day, ...listed } = entry;
        return { panelId: entry.id, day, panel: { ...atVersion(entry.id, entry.version), ...listed } };
      }),
  };
}
