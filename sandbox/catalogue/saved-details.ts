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

/** The panels of saved pages, also of those that are added to the records later. */
export function savedDetails({ current, versions, signedOff }: SavedDetails): PanelDetails {
  const idOfHash = (hash: string): string | undefined =>
    Object.entries(current).find(([, panel]) => 'hash_id' in panel && panel.hash_id === hash)?.[0];
  const isKept = (id: string): boolean =>
    id in current || Object.keys(versions).some((key) => key.startsWith(`${id}@`));
  const atVersion = (id: number, version: string): object | undefined => {
    const present = current[id];
    const isPresent = present && 'version' in present && present.version === version;
    return versions[`${id}@${version}`] ?? (isPresent ? present : undefined);
  };
  return {
    panelId(key) {
      const id = idOfHash(key) ?? key;
      return isKept(id) ? Number(id) : null;
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
