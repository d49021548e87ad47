import type { Changes } from '../events/changes.ts';
import type { SignOffChange } from './compare-sign-offs.ts';
import type { SignOff } from './version-state.ts';

/** The fields of a sign-off's event that the list of signed-off versions gives. */
export type SignOffFields = Pick<
  Changes['panel.signed-off'],
  'signedOffVersion' | 'signedOffDate' | 'previousSignedOffVersion' | 'previousSignedOffDate'
>;

/** The fields of a sign-off's event that the list of signed-off versions gives. */
export function signOffFields({ now, before }: Pick<SignOffChange, 'now' | 'before'>): SignOffFields {
  return {
    ...(now && { signedOffVersion: now.version, signedOffDate: now.date }),
    ...(before && { previousSignedOffVersion: before.version, previousSignedOffDate: before.date }),
  };
}

/** Whether an event's change states this sign-off. */
export function statesSignOff(change: Changes['panel.signed-off'], { version, date }: SignOff): boolean {
  return change.signedOffVersion === version && change.signedOffDate === date;
}
