import type { Stored } from '../../lambdas/store/store.ts';
import type { MarkedState } from './marked-state.ts';

interface MovedCatalogue {
  readonly catalogue: string;
  readonly stored: Stored;
  /** The new address, as a client of the catalogue has it. */
  readonly url: string;
}

/** What it means that a catalogue moved to another address, in sentences. */
export function consequencesOfMove({ catalogue, stored, url }: MovedCatalogue): string {
  const { source } = stored.position;
  return `The mark of "${catalogue}" belongs to ${source ?? 'an unknown address'}. From now on it belongs to ${url}: the next poll of that address goes on from the same mark, with the same name, known ratings and event ids. Do this only where both addresses have the same log.`;
}

/** Sets the address to which the mark of a catalogue belongs. */
export async function moveCatalogue(
  marks: Pick<MarkedState, 'store'>,
  { catalogue, stored, url }: MovedCatalogue,
): Promise<void> {
  await marks.store(catalogue).update(stored.position, { source: url });
}
