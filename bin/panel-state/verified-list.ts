import { printable } from '../../lambdas/run/printable.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import { counted } from '../../lambdas/words/counted.ts';
import type { VerifiedVersion } from './verified-versions.ts';

/** Versions in the layouts of `verify`. */
export const verifiedLayouts = {
  table: tableOf,
  ndjson: (versions: readonly VerifiedVersion[]): string =>
    versions.map((version) => `${safeJson(JSON.stringify(version))}\n`).join(''),
} as const;

/** How many versions there are of each proof, in a line. */
export function summaryOfVersions(versions: readonly VerifiedVersion[]): string {
  const count = (wanted: VerifiedVersion['proof']): number =>
    versions.filter(({ proof }) => proof === wanted).length;
  if (versions.length === 0) return 'no version was read yet: nothing is proven';
  return (
    `${counted(versions.length, 'version')}: ${count('proven')} proven, ${count('explained')} explained, ` +
    `${count('baseline')} baseline, ${count('unproven')} unproven`
  );
}

function tableOf(versions: readonly VerifiedVersion[]): string {
  return versions
    .map(({ panelId, panelName, version, validFrom, proof, why, differences }) => {
      const since = validFrom === null ? '' : `  from ${validFrom.slice(0, 16).replace('T', ' ')}Z`;
      const line = `${proof.padEnd(9)}  ${printable(panelName)} (${panelId}) ${version}${since}`;
      const reasons = [...(why === null ? [] : [why]), ...differences];
      return [line, ...reasons.map((reason) => `           ${printable(reason)}`)].join('\n');
    })
    .map((lines) => `${lines}\n`)
    .join('');
}
