import type { Proof } from '../panels/version-state.ts';
import { counted } from './counted.ts';

/** Whether a version is proven, in a few words for a list. */
export function proofWord(proof: Proof): string {
  switch (proof.kind) {
    case 'proven':
      return 'proven';
    case 'baseline':
      return proof.after === undefined ? 'first version read' : 'begun anew';
    case 'explained':
      return `proven, ${counted(proof.events, 'change')} without a row`;
    case 'unproven':
      return 'not proven';
    default:
      return proof satisfies never;
  }
}

/** Whether a version is proven, as a sentence that says what follows from it. */
export function proofSentence(proof: Proof): string {
  switch (proof.kind) {
    case 'proven':
      return 'Proven: the version before it and the rows of the log lead to exactly what this version holds.';
    case 'baseline':
      return proof.after === undefined
        ? 'This is the first version of the panel that was read, so it cannot be compared with the one before.'
        : `The version numbers of the panel went back after ${proof.after}. The panel begins anew with this version: nothing is proven of the time between.`;
    case 'explained':
      return proof.events === 1
        ? 'One change of this version has no row in the log. The catalogue’s archive shows it, and it was published from there.'
        : `${proof.events} changes of this version have no row in the log. The catalogue’s archive shows them, and they were published from there.`;
    case 'unproven':
      return `Not proven: ${proof.why}. A change of this version may be missing.`;
    default:
      return proof satisfies never;
  }
}
