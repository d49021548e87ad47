import { hash } from 'node:crypto';

/** Longer names are kept as their hash; names in the catalogue are far shorter. */
const LONGEST_NAME = 100;

/** A name as it is kept and compared: a long one by its hash, because what is kept has a limited size. */
export function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : hash('sha256', name, 'hex');
}
