import { counted } from '../messages/counted.ts';
import type { SignOffLag } from './read-lag.ts';

/** What an answer about the sign-off lag does not cover, as sentences for people; empty where it covers all that was asked. */
export function lagLimits(
  { unknown, withoutSignOff, hasSignOffs }: SignOffLag,
  catalogue: string,
): readonly string[] {
  if (!hasSignOffs) {
    return [
      `No sign-off of ${catalogue} is known: its list of signed-off versions was not read yet, or the catalogue serves none.`,
    ];
  }
  return [
    ...unknown.map(
      ({ panelId, panelName, version, why }) =>
        `${panelName} (${panelId}), signed off as version ${version}: unknown. ${why}`,
    ),
    ...(withoutSignOff.length > 0 ? [withoutWords(withoutSignOff)] : []),
  ];
}

const MOST_NAMES = 5;

function withoutWords(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${counted(names.length, 'panel')} without a signed-off version: ${shown}${more}.`;
}
