import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import { versionsBetween } from '../events/versions-between.ts';

/**
 * The versions that a panel went through from one to another, both excluded: those that the numbers imply, and those
 * that are known from rows and listings. Empty where the panel was set back.
 */
export function versionsToRead(from: string, to: string, known: Iterable<string>): readonly string[] {
  const [first, last] = [versionNumbers(from), versionNumbers(to)];
  if (!first || !last || compareVersions(first, last) >= 0) return [];
  const between = [...new Set([...versionsBetween(from, to), ...known])].flatMap((version) => {
    const numbers = versionNumbers(version);
    const isBetween = numbers && compareVersions(first, numbers) < 0 && compareVersions(numbers, last) < 0;
    return isBetween ? [{ version, numbers }] : [];
  });
  return between
    .sort((one, other) => compareVersions(one.numbers, other.numbers))
    .map(({ version }) => version);
}
