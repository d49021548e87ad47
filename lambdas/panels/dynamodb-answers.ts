import { type Item, number, text } from '../store/dynamodb-call.ts';
import { createTable, inParts, keyItem, PART_BYTES, type TableOptions } from '../store/dynamodb-table.ts';
import { timeKey } from '../store/history/dynamodb-items.ts';
import { packNear, unpackAgainst } from '../store/packed-against.ts';
import { damagedState } from '../store/state-error.ts';
import { historyPartitions } from '../store/table-keys.ts';
import type { AnswerKey, AnswerStore } from './answer-store.ts';
import { stateKey } from './dynamodb-panel-states.ts';

/** An answer that others are compressed against. */
interface Base {
  /** Where its key begins. */
  readonly name: string;
  readonly packed: Buffer;
}

/**
 * The answers of one catalogue, in the history's table. For catalogue `uk`:
 *
 *     pk  uk#answers#3       sk  <valid from>#<version>#<source>#<read at>         an answer, compressed against its base
 *     pk  uk#answer-bases#3  sk  <source>#<read at>#<valid from>#<version>#<part>  a base, compressed alone
 */
export function createDynamoAnswers(options: TableOptions & { readonly catalogue: string }): AnswerStore {
  const table = createTable(options, {
    where: `panel states in table "${options.table}"`,
    unchanged: 'Nothing was published from them',
  });
  const own = historyPartitions(options.catalogue);
  const answers = (panelId: number): string => `${own}answers#${panelId}`;
  const bases = (panelId: number): string => `${own}answer-bases#${panelId}`;
  /** The base that was read last: the versions of a panel are read one after the other. */
  let last: (Base & { readonly panelId: number }) | null = null;

  const parsed = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      const what = `an answer of catalogue "${options.catalogue}" in table "${options.table}"`;
      throw damagedState(what, cause, 'Restore the table to an earlier time (point-in-time recovery).');
    }
  };

  /** Null where a run ended before it was written whole: no answer was compressed against it. */
  const baseCalled = async (panelId: number, name: string): Promise<Base | null> => {
    if (last?.panelId === panelId && last.name === name) return last;
    const items = await table.list({ pk: bases(panelId), prefix: `${name}#` });
    if (items.length === 0 || items.length !== Number(items[0]?.parts?.N)) return null;
    const packed = Buffer.concat(items.map((item) => item.body?.B ?? new Uint8Array()));
    last = { panelId, name, packed };
    return last;
  };
  const newestBase = async ({ panelId, source }: AnswerKey): Promise<Base | null> => {
    const prefix = `${source}#`;
    const [newest] = await table.list({ pk: bases(panelId), prefix, newestFirst: true, limit: 1 });
    return newest ? baseCalled(panelId, newest.sk?.S?.replace(/#\d+$/, '') ?? '') : null;
  };
  const bodyIn = async (panelId: number, item: Item): Promise<Buffer> => {
    const base = await baseCalled(panelId, item.base?.S ?? '');
    return parsed(() => {
      if (!base) throw new Error('what it is compressed against is not whole');
      return unpackAgainst(item.body?.B ?? new Uint8Array(), unpackAgainst(base.packed, null));
    });
  };
  const addBase = async (key: AnswerKey, packed: Buffer): Promise<string> => {
    const { panelId, source, readAt } = key;
    // No other answer has this name: what a base holds never changes.
    const name = `${source}#${timeKey(readAt)}#${stateKey(key)}`;
    const parts = inParts(packed);
    await table.putAll(
      parts.map((body, part) => ({
        ...keyItem({ pk: bases(panelId), sk: `${name}#${String(part).padStart(3, '0')}` }),
        parts: number(parts.length),
        body: { B: body },
      })),
    );
    last = { panelId, name, packed };
    return name;
  };

  return {
    async keep(key, body) {
      const { panelId, source } = key;
      const prefix = `${stateKey(key)}#${source}#`;
      const [before] = await table.list({ pk: answers(panelId), prefix, newestFirst: true, limit: 1 });
      if (before && (await bodyIn(panelId, before)).equals(body)) return;
      const newest = await newestBase(key);
      const { base, packed } = packNear(body, newest?.packed ?? null, PART_BYTES);
      await table.put({
        ...keyItem({ pk: answers(panelId), sk: answerKey(key) }),
        base: text(base === null ? (newest?.name ?? '') : await addBase(key, base)),
        body: { B: packed },
      });
    },
    of: async (panelId) =>
      (await table.list({ pk: answers(panelId) }))
        .map((item) => parsed(() => keyIn(panelId, item.sk?.S ?? '')))
        .sort((one, other) => Number(one.validFrom - other.validFrom || one.readAt - other.readAt)),
    async read(key) {
      const item = await table.get({ pk: answers(key.panelId), sk: answerKey(key) });
      return item ? bodyIn(key.panelId, item) : null;
    },
  };
}

const answerKey = (key: AnswerKey): string => `${stateKey(key)}#${key.source}#${timeKey(key.readAt)}`;

function keyIn(panelId: number, sk: string): AnswerKey {
  const [, validFrom = '', version = '', source, readAt = ''] =
    /^(\d+)#([^#]+)#(present|archive)#(\d+)$/.exec(sk) ?? [];
  if (source !== 'present' && source !== 'archive') throw new Error(`"${sk}" names no answer`);
  return { panelId, version, validFrom: BigInt(validFrom), source, readAt: BigInt(readAt) };
}
