import type { SignOffLag } from '../panels/read-lag.ts';
import { counted } from './counted.ts';

/** Something that an answer about the sign-off lag does not cover. */
interface LagLimit {
  /** `unknown`: it should be covered, and cannot be. `none`: there is nothing to compare. */
  readonly kind: 'unknown' | 'none';
  /** For people. */
  readonly sentence: string;
}

/** What an answer about the sign-off lag does not cover; empty where it covers all that was asked. */
export function lagLimits(
  { unknown, withoutSignOff, hasSignOffs }: SignOffLag,
  catalogue: string,
): readonly LagLimit[] {
  if (!hasSignOffs) {
    const sentence = `No sign-off of ${catalogue} is known: its list of signed-off versions was not read yet, or the catalogue serves none.`;
    return [{ kind: 'unknown', sentence }];
  }
  const limits = unknown.map(({ panelId, panelName, version, comparedUpTo, why }): LagLimit => {
    const what = comparedUpTo === null ? 'unknown' : `unknown after version ${comparedUpTo}`;
    const sentence = `${panelName} (${panelId}), signed off as version ${version}: ${what}. ${why}`;
    return { kind: 'unknown', sentence };
  });
  if (withoutSignOff.length === 0) return limits;
  return [...limits, { kind: 'none', sentence: withoutWords(withoutSignOff) }];
}

const MOST_NAMES = 5;

function withoutWords(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${counted(names.length, 'panel')} without a signed-off version: ${shown}${more}.`;
}
