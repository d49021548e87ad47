import * as z from 'zod';
import { type ItemStore, type KeptItem, readValue, replaceItem } from './items.ts';
import { instantSchema, toJson } from './packed.ts';
import { orDamaged, StateError } from './state-error.ts';
import type { StateStore } from './store.ts';
import { partitionOf } from './table-keys.ts';

interface DocumentsOptions {
  readonly catalogue: string;
  /** Distinguishes this run's writes from another's, where replies can be lost. */
  readonly runId?: string;
}

const schema = z.lazy(() => z.object({ body: z.string(), writer: z.string().nullable() }));

/**
 * Keeps documents of one catalogue that are too large or too seldom needed for the position: each is replaced as
 * a whole, by the writer that read it last.
 */
export function createDocuments(items: ItemStore, { catalogue, runId }: DocumentsOptions) {
  const { place } = items;
  const partition = `${partitionOf(catalogue)}#documents`;
  const read = async (name: string) => {
    const item = await items.get(partition, name);
    return item && { version: item.version, ...readValue(item, { schema, place }) };
  };
  return {
    /**
     * The document of that name, or null where there is none.
     * @throws {StateError} `STATE_UNAVAILABLE` when the store does not answer, `STATE_CORRUPT` when a part is missing
     */
    async load(name: string): Promise<{ readonly version: number; readonly body: string } | null> {
      const kept = await read(name);
      return kept && { version: kept.version, body: kept.body };
    },
    /**
     * Replaces the document if it still has the version that was read (0: there was none) and returns the new version.
     * @throws {StateError} `STATE_CONFLICT` when another run has replaced it, `STATE_UNAVAILABLE` as above
     */
    async save(name: string, version: number, body: string): Promise<number> {
      const next = version + 1;
      const writer = runId === undefined ? null : `${runId}/${next}`;
      const item = { partition, id: name, value: { body, writer } };
      if (await (version === 0 ? items.create(item) : items.replace({ ...item, version }))) return next;
      const kept = await read(name);
      // The reply to an earlier attempt may have been lost: then this run wrote what is there.
      if (kept?.version === next && writer !== null && kept.writer === writer) return next;
      throw new StateError(
        'STATE_CONFLICT',
        `Writing "${name}" of ${place.name}: another run has replaced version ${version} by ${kept?.version ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
      );
    },
  };
}

/** The documents of one catalogue. */
export type Documents = ReturnType<typeof createDocuments>;

interface Versioned {
  readonly version: number;
}

/**
 * A record that is kept whole, as the document of a name.
 * @param what the record, as errors name it
 */
export function recordDocument<Kept extends object>(what: string, schema: z.ZodType<Kept>) {
  return {
    /** @throws {StateError} `STATE_CORRUPT` when what is stored is none, or as the documents do */
    async load(documents: Pick<Documents, 'load'>, name: string): Promise<(Kept & Versioned) | null> {
      const stored = await documents.load(name);
      if (!stored) return null;
      return orDamaged(what, 'Restore the state to an earlier time.', () => ({
        ...schema.parse(JSON.parse(stored.body)),
        version: stored.version,
      }));
    },
    /**
     * Replaces the record; returns it with its new version.
     * @throws {StateError} `STATE_CONFLICT` when another run has replaced it, or as the documents do
     */
    async save<Changed extends Versioned>(
      documents: Pick<Documents, 'save'>,
      name: string,
      { version, ...record }: Changed,
    ) {
      return { ...record, version: await documents.save(name, version, toJson(record)) };
    },
  };
}

const countSchema = z.lazy(() => z.object({ count: z.number(), lastAt: instantSchema }));

/** The unknown wordings of one catalogue, counted: items by their shape. */
export function createShapes(
  items: ItemStore,
  catalogue: string,
): Pick<StateStore, 'countShapes' | 'shapes'> {
  const partition = `${partitionOf(catalogue)}#shapes`;
  const countIn = (item: KeptItem) => readValue(item, { schema: countSchema, place: items.place });
  return {
    async countShapes(shapes, lastAt) {
      for (const [shape, count] of shapes) {
        const key = { partition, id: shape || ' ' };
        const value = { count, lastAt: String(lastAt) };
        if (await items.create({ ...key, value })) continue;
        await replaceItem(items, key, (item) => ({ ...value, count: count + countIn(item).count }));
      }
    },
    shapes: async () => (await items.list(partition)).map((item) => ({ shape: item.id, ...countIn(item) })),
  };
}
