import { versionNumbers } from '../events/panel-version.ts';

/** A version that the archive may have. */
interface PossibleVersion {
  readonly text: string;
  /** Says whether the archive has it; returns whether it is missing although there was such a version. */
  isGap(there: boolean): boolean;
}

/**
 * The versions that a panel may have had, from 0.0 to the newest one. A minor version is tried after each that was found,
 * and up to the highest one that is known of its major version.
 */
export function* versionsFromStart(newest: string, known: Iterable<string>): Generator<PossibleVersion> {
  const [lastMajor, lastMinor] = versionNumbers(newest) ?? [0, 0];
  const highest = new Map<number, number>();
  for (const version of known) {
    const [major, minor] = versionNumbers(version) ?? [0, 0];
    highest.set(major, Math.max(minor, highest.get(major) ?? 0));
  }
  for (let major = 0; major <= lastMajor; major += 1) {
    let more = true;
    for (let minor = 0; more; minor += 1) {
      const isLast = major === lastMajor && minor === lastMinor;
      yield {
        text: `${major}.${minor}`,
        isGap: (there) => {
          const last = highest.get(major) ?? -1;
          // The minor versions of a major one end where there is none.
          more = there || minor < last;
          return !there && minor <= last;
        },
      };
      if (isLast) return;
    }
  }
}
