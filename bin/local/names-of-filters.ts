import { randomUUID } from 'node:crypto';
import { announceNames } from '../../lambdas/notify/filter-names.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite-named-place.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { Io } from '../command.ts';

/** How often the names of filters are looked up, in milliseconds. */
const CHECK_NAMES_EVERY = 3_600_000;

type Announcing = Omit<Parameters<typeof announceNames>[0], 'newId' | 'place'>;

/**
 * Looks up the names of the subscriptions' filters, at most once an hour. Names that nothing has are said once on standard
 * error, and once in the channels of the subscription.
 */
export function createNameChecks(file: StateFile, announcing: Announcing, io: Io): () => Promise<void> {
  const { clock } = announcing;
  let checked = Number.NEGATIVE_INFINITY;
  const said = new Set<string>();
  return async () => {
    if (clock.now() - checked < CHECK_NAMES_EVERY) return;
    const place = namedPlaceOf(file);
    // Before anything was read, no name can be looked up.
    if ((await place.listings()).length + (await place.history.coverage()).length === 0) return;
    checked = clock.now();
    for (const { subscription, names } of await announceNames({ ...announcing, newId: randomUUID, place })) {
      for (const { sentence } of names) {
        const line = printable(`${subscription}: ${sentence}`);
        if (!said.has(line)) io.stderr.write(`${line}\n`);
        said.add(line);
      }
    }
  };
}
