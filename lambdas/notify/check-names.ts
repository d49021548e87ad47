import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Announcing, announceNames, NAMES_PARTITION } from './announce-names.ts';

/** Names that exist today are looked up again a day later: a look-up of a rare tag reads the whole history. */
const CHECK_EVERY = 24 * 3_600_000;
const CHECKED = 'checked';

const checkedSchema = z.object({ at: z.number(), filters: z.string() });

/** The settings in which a subscription may name what does not exist. */
const namedKeys = ['panels', 'panelTypes', 'rCodes', 'genes', 'tags', 'actors', 'catalogues'] as const;

/**
 * Looks the names of all filters up once a day, and as soon as a filter was changed, and says in the channels of a subscription
 * which of them were not found. Where nothing was read yet, the next call looks again.
 * @returns whether the names were looked up
 * @throws {HistoryError | StateError} when the history or a listing cannot be read; the next call tries again
 */
export async function checkNames(options: Announcing): Promise<boolean> {
  const { plan, store, clock, place } = options;
  const asking = plan.subscriptions.filter(({ filter, whenSignedOff = {} }) =>
    namedKeys.some((key) => filter[key] !== undefined || whenSignedOff[key] !== undefined),
  );
  if (asking.length === 0) return false;
  const filters = hash(
    'sha256',
    JSON.stringify(
      asking.map(({ name, filter, whenSignedOff, channels }) => [name, filter, whenSignedOff, channels]),
    ),
  );
  const kept = await store.get(NAMES_PARTITION, CHECKED);
  const last = checkedSchema.safeParse(kept?.value).data;
  if (last && last.filters === filters && clock.now() - last.at < CHECK_EVERY) return false;
  if ((await place.history.coverage()).length === 0) return false;
  await announceNames(options);
  const item = { partition: NAMES_PARTITION, id: CHECKED, value: { at: clock.now(), filters } };
  if (kept) await store.replace({ ...kept, ...item });
  else await store.create(item);
  return true;
}
