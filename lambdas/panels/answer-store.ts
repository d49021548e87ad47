import type { Instant } from '../run/instant.ts';
import type { KeptItem } from '../store/items.ts';
import { packNear, unpackAgainst } from '../store/packed.ts';
import { damagedState } from '../store/state-error.ts';
import { timeKey } from '../store/table-keys.ts';
import { type PanelItems, stateKey } from './panel-state-store.ts';
import type { VersionSummary } from './version-state.ts';

/** Names an answer of the catalogue that showed a panel whole: which version, and when it was read first. */
export interface AnswerKey extends Pick<VersionSummary, 'panelId' | 'version' | 'validFrom' | 'source'> {
  readonly readAt: Instant;
}

/** An answer that others are compressed against. */
interface Base {
  readonly partition: string;
  readonly id: string;
  readonly packed: Buffer;
}

/** The answers of one catalogue. */
export type AnswerStore = ReturnType<typeof createAnswers>;

/**
 * Keeps what one catalogue answered where panels were asked for, byte by byte: with it the same answer can be given again. States hold
 * what the notifier needs of it. As items:
 *
 *     answers#3        <valid from>#<version>#<source>#<read at>   an answer, compressed against its base
 *     answer-bases#3   <source>#<read at>#<valid from>#<version>   a base, compressed alone
 *
 * @throws {StateError} from every method, when the store cannot be read or written
 */
export function createAnswers({ items, within }: PanelItems) {
  const answersOf = (panelId: number): string => `${within('answers')}#${panelId}`;
  const basesOf = (panelId: number): string => `${within('answer-bases')}#${panelId}`;
  /** The base that was read last: the versions of a panel are read one after the other. */
  let last: Base | null = null;

  const parsed = <Value>({ id }: Pick<KeptItem, 'id'>, read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      throw damagedState(`"${id}" of ${items.place.name}`, cause, items.place.repair);
    }
  };
  /** The newest item whose id begins so. */
  const newestIn = async (partition: string, prefix: string): Promise<KeptItem | undefined> => {
    const [item] = await items.list(partition, { last: 1, upTo: `${prefix}~` });
    return item?.id.startsWith(prefix) ? item : undefined;
  };
  const bodyIn = async (panelId: number, item: KeptItem): Promise<Buffer> => {
    const { base: id, body } = item.value as { readonly base: string; readonly body: string };
    const partition = basesOf(panelId);
    if (last?.partition !== partition || last.id !== id) {
      const base = await items.get(partition, id);
      last = base && { partition, id, packed: bytesOf(base.value) };
    }
    const base = last;
    return parsed(item, () => {
      if (!base) throw new Error('what it is compressed against is missing');
      return unpackAgainst(bytesOf(body), unpackAgainst(base.packed, null));
    });
  };

  return {
    /** Keeps an answer. One that equals the last of its version and source is kept once, as it was read first. */
    async keep(key: AnswerKey, body: Uint8Array): Promise<void> {
      const { panelId, source } = key;
      const before = await newestIn(answersOf(panelId), `${stateKey(key)}#${source}#`);
      if (before && (await bodyIn(panelId, before)).equals(body)) return;
      const partition = basesOf(panelId);
      const newest = await newestIn(partition, `${source}#`);
      const { base, packed } = packNear(body, newest ? bytesOf(newest.value) : null);
      // No other answer has this name: what a base holds never changes.
      const id = base ? `${source}#${timeKey(key.readAt)}#${stateKey(key)}` : (newest?.id ?? '');
      if (base) {
        await items.put({ partition, id, value: base.toString('base64') });
        last = { partition, id, packed: base };
      }
      const value = { base: id, body: packed.toString('base64') };
      await items.put({ partition: answersOf(panelId), id: answerKey(key), value });
    },
    /** The answers of a panel, or of one of its versions, oldest version first. */
    of: async (
      panelId: number,
      version?: Pick<AnswerKey, 'version' | 'validFrom'>,
    ): Promise<readonly AnswerKey[]> =>
      (await items.list(answersOf(panelId), version && `${stateKey(version)}#`))
        .map((item) => parsed(item, () => keyIn(panelId, item.id)))
        .sort((one, other) => Number(one.validFrom - other.validFrom || one.readAt - other.readAt)),
    /** An answer as it was received. Null where it is not kept. */
    async read(key: AnswerKey): Promise<Buffer | null> {
      const item = await items.get(answersOf(key.panelId), answerKey(key));
      return item ? bodyIn(key.panelId, item) : null;
    },
  };
}

/** A text of base64, which a damaged value may not be, as bytes. */
const bytesOf = (value: unknown): Buffer => Buffer.from(String(value), 'base64');

const answerKey = (key: AnswerKey): string => `${stateKey(key)}#${key.source}#${timeKey(key.readAt)}`;

function keyIn(panelId: number, id: string): AnswerKey {
  const [, validFrom = '', version = '', source, readAt = ''] =
    /^(\d+)#([^#]+)#(present|archive)#(\d+)$/.exec(id) ?? [];
  if (source !== 'present' && source !== 'archive') throw new Error(`"${id}" names no answer`);
  return { panelId, version, validFrom: BigInt(validFrom), source, readAt: BigInt(readAt) };
}
