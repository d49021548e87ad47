import type { Position } from '../store/position.ts';
import { PollError } from './poll-error.ts';
import type { PollOptions } from './poll-options.ts';

/**
 * Refuses a position of another catalogue: it means nothing in the log of this one.
 *
 * @throws {PollError} `CATALOGUE_CHANGED`
 */
export function checkCatalogue(
  { source }: Position,
  { name, movedFrom, catalogue: { url } }: PollOptions,
): void {
  if (source === url || source === movedFrom) return;
  throw new PollError(
    'CATALOGUE_CHANGED',
    `Reading the position in the log of "${name}": it belongs to ${source}, but this run would read ${url}. Nothing was published. If the catalogue has moved: gene-panel-notifier mark --name ${name} --moved-to ${url} (for a deployment, the setting movedFrom). Otherwise give each catalogue a name of its own.`,
  );
}

/** The position, which belongs to the new address of a catalogue that moved. */
export async function takeOver(
  position: Position,
  { store, movedFrom, catalogue, log }: PollOptions,
): Promise<Position> {
  const { source } = position;
  if (movedFrom === undefined || source !== movedFrom || source === catalogue.url) return position;
  log.info('The catalogue has moved; the mark goes on at its new address', {
    from: source,
    to: catalogue.url,
  });
  return store.update(position, { source: catalogue.url });
}
