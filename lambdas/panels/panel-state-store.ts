import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { Clock } from '../run/clock.ts';
import { inGroups } from '../run/in-groups.ts';
import type { Instant } from '../run/instant.ts';
import { type ItemStore, type KeptItem, type NewItem, readValue } from '../store/items.ts';
import { damagedState } from '../store/state-error.ts';
import { timeKey } from '../store/table-keys.ts';
import { byBeginning, isSameVersion, isValidAt, MOST_AT_ONCE } from './panel-versions.ts';
import {
  entitiesIn,
  type Holding,
  holdingSchema,
  holdingsOf,
  type Proof,
  type SignOff,
  type StateEntity,
  signOffSchema,
  summarySchema,
  type VersionState,
  type VersionSummary,
} from './version-state.ts';

/** A version of a panel. A number may come again where a panel was set back, with another beginning. */
type VersionKey = Pick<VersionSummary, 'panelId' | 'version' | 'validFrom'>;

/**
 * Keeps what the panels of one catalogue held, at each version that was read. The newest state of each panel and
 * those of signed-off versions are kept for ever, others as long as the retention says.
 * @throws {StateError} from every method, when the store cannot be read or written
 */
export interface PanelStateStore {
  /** Keeps a state; one of the same version and beginning is replaced. */
  save(state: VersionState): Promise<void>;
  /** Replaces what is noted of a kept state. Does nothing where it is not kept. */
  note(key: VersionKey, change: { readonly proof?: Proof; readonly validTo?: Instant }): Promise<void>;
  /** The state of a version; the last one where a number came again. Null where it is not kept. */
  find(panelId: number, version: string): Promise<VersionState | null>;
  /** The state of exactly this version. Null where it is not kept. */
  read(key: VersionKey): Promise<VersionState | null>;
  /**
   * The state of the version that a panel had at an instant. Null where that is unknown: nothing is kept of then, or whether
   * another version followed before it is unknown.
   */
  at(panelId: number, instant: Instant): Promise<VersionState | null>;
  /** The newest state of a panel. Null where none is kept. */
  newest(panelId: number): Promise<VersionState | null>;
  /** The kept versions of a panel, oldest first, without their entities. */
  versions(panelId: number): Promise<readonly VersionSummary[]>;
  /** The newest version of every panel, by panel id, without its entities. */
  panels(): Promise<readonly VersionSummary[]>;
  /**
   * The panels whose newest state holds an entity, by panel id.
   * @param identity as `identityOf` returns it
   */
  holdings(identity: string): Promise<readonly Holding[]>;
  /** Keeps sign-offs; one of the same panel, version and day is replaced. */
  saveSignOffs(signOffs: readonly SignOff[]): Promise<void>;
  /** The sign-offs of a panel, or of all panels, by panel and day. */
  signOffs(panelId?: number): Promise<readonly SignOff[]>;
}

/** Where the items of a catalogue's panels lie. */
export interface PanelItems {
  readonly items: ItemStore;
  /** What the partitions of one kind of item begin with. */
  readonly within: (
    kind: 'states' | 'state-entities' | 'state-panels' | 'holders' | 'sign-offs' | AnswerKind,
  ) => string;
}
type AnswerKind = 'answers' | 'answer-bases';

/** For how long states are kept. */
export interface StateRetention extends Pick<Clock, 'now'> {
  /** Days for which states that are not the newest of their panel are kept after they ended; without end where absent. */
  readonly retentionDays?: number | undefined;
}

const DAY_MICROSECONDS = 86_400_000_000n;

/** Removals at the same time. */
const PARALLEL = 25;

/** States whose entities are kept in memory. */
const MOST_ENTITIES = 2;

/** A key has at most 2,048 bytes; two names that are equal up to this length would be one. */
const LONGEST_IDENTITY = 500;

/**
 * The states of the panels of one catalogue, as items:
 *
 *     states#3            <valid from>#<version>             a version without its entities
 *     state-entities#3    <valid from>#<version>#<SHA-256>   its entities
 *     state-panels        <panel>                            the newest version of a panel
 *     holders#HGNC:1100   <panel>                            the gene on that panel now
 *     sign-offs           <panel>#<date>#<version>           a signed-off version
 */
export function createPanelStates(
  { items, within }: PanelItems,
  { now, retentionDays }: StateRetention,
): PanelStateStore {
  const statesOf = (panelId: number): string => `${within('states')}#${panelId}`;
  const holdersOf = (identity: string): string =>
    `${within('holders')}#${identity.slice(0, LONGEST_IDENTITY)}`;
  const entitiesKey = (summary: VersionSummary): Pick<NewItem, 'partition' | 'id'> => ({
    partition: `${within('state-entities')}#${summary.panelId}`,
    id: `${stateKey(summary)}#${summary.sha256}`,
  });
  const valueIn = <Shape extends z.ZodType>(item: KeptItem, schema: Shape): z.infer<Shape> =>
    readValue(item, { schema, place: items.place });
  const summaryIn = (item: KeptItem): VersionSummary => valueIn(item, summarySchema);

  const versions = async (panelId: number): Promise<readonly VersionSummary[]> =>
    (await items.list(statesOf(panelId))).map(summaryIn);
  /** The versions that began last, until an instant where one is given. */
  const lastVersions = async (panelId: number, until: Instant | null): Promise<readonly VersionSummary[]> => {
    const upTo = until !== null && stateKey({ version: '~', validFrom: until });
    const range = { last: MOST_AT_ONCE, ...(upTo && { upTo }) };
    return (await items.list(statesOf(panelId), range)).map(summaryIn);
  };
  const summaryOf = async (key: VersionKey): Promise<VersionSummary | null> => {
    const item = await items.get(statesOf(key.panelId), stateKey(key));
    return item && summaryIn(item);
  };

  /** The entities that were read or written last, by their keys: a version is compared with the one before it. */
  let lastEntities: ReadonlyMap<string, readonly StateEntity[]> = new Map();
  const keepLast = (key: string, entities: readonly StateEntity[]): readonly StateEntity[] => {
    const others = [...lastEntities].filter(([other]) => other !== key);
    lastEntities = new Map([...others.slice(1 - MOST_ENTITIES), [key, entities]]);
    return entities;
  };

  async function entitiesOf(summary: VersionSummary): Promise<readonly StateEntity[]> {
    const { partition, id } = entitiesKey(summary);
    const known = lastEntities.get(`${partition} ${id}`);
    if (known) return keepLast(`${partition} ${id}`, known);
    const item = await items.get(partition, id);
    try {
      if (!item) throw new Error('its entities are missing');
      return keepLast(`${partition} ${id}`, entitiesIn(item.value));
    } catch (cause) {
      throw damagedState(`"${id}" of ${items.place.name}`, cause, items.place.repair);
    }
  }
  const stateOf = async (summary: VersionSummary | null | undefined): Promise<VersionState | null> =>
    summary ? { ...summary, entities: await entitiesOf(summary) } : null;

  const removeEntities = (summary: VersionSummary): Promise<void> => {
    const { partition, id } = entitiesKey(summary);
    return items.remove(partition, id);
  };

  /** Writes what a panel holds from then on, where that differs from before. */
  async function replaceHoldings(before: VersionState | null, state: VersionState): Promise<void> {
    const now = holdingsOf(state);
    const old = before ? holdingsOf(before) : new Map<string, Holding>();
    const id = panelKey(state.panelId);
    const changed = [...now].filter(([identity, holding]) => !isDeepStrictEqual(old.get(identity), holding));
    await items.put(...changed.map(([identity, value]) => ({ partition: holdersOf(identity), id, value })));
    const gone = [...old.keys()].filter((identity) => !now.has(identity));
    await inGroups(PARALLEL, gone, (identity) => items.remove(holdersOf(identity), id));
  }

  /**
   * Writes a version. It is written after what it holds: a run that dies in between writes both again.
   * @param replaced what is kept of it
   * @param state null where what it holds stays
   */
  async function write(
    summary: VersionSummary,
    replaced: VersionSummary | null,
    state: VersionState | null = null,
  ): Promise<void> {
    const kept = await lastVersions(summary.panelId, null);
    const before = newestOf(kept);
    const newest = newestOf([...kept.filter((each) => !isSameVersion(each, summary)), summary]) ?? summary;
    const isOther = !before || !isSameVersion(before, newest);
    // A version that ended without another change holds what is kept.
    if (state && replaced?.sha256 !== summary.sha256) {
      const key = entitiesKey(summary);
      await items.put({ ...key, value: state.entities });
      keepLast(`${key.partition} ${key.id}`, state.entities);
    }
    if (isOther || before.sha256 !== newest.sha256) {
      const holds = newest === summary ? (state ?? (await stateOf(newest))) : await stateOf(newest);
      if (holds) await replaceHoldings(await stateOf(before), holds);
    }
    await items.put({ partition: statesOf(summary.panelId), id: stateKey(summary), value: summary });
    if (isOther || newest === summary)
      await items.put({ partition: within('state-panels'), id: panelKey(summary.panelId), value: newest });
    if (replaced && replaced.sha256 !== summary.sha256) await removeEntities(replaced);
  }

  async function removeOld(panelId: number): Promise<void> {
    if (retentionDays === undefined) return;
    const oldest = BigInt(now()) * 1000n - BigInt(retentionDays) * DAY_MICROSECONDS;
    const kept = await versions(panelId);
    const newest = newestOf(kept)?.validFrom ?? 0n;
    const ended = kept.filter(
      ({ validFrom, validTo }) => validTo !== null && validTo < oldest && validFrom < newest,
    );
    if (ended.length === 0) return;
    const signedOff = new Set((await signOffs(panelId)).map(({ version }) => version));
    const removed = ended.filter(({ version }) => !signedOff.has(version));
    await inGroups(PARALLEL, removed, async (summary) => {
      await items.remove(statesOf(panelId), stateKey(summary));
      await removeEntities(summary);
    });
  }

  async function signOffs(panelId?: number): Promise<readonly SignOff[]> {
    const prefix = panelId === undefined ? '' : `${panelKey(panelId)}#`;
    return (await items.list(within('sign-offs'), prefix)).map((item) => valueIn(item, signOffSchema));
  }

  return {
    async save(state) {
      const { entities: _entities, ...summary } = state;
      await write(summary, await summaryOf(summary), state);
      await removeOld(summary.panelId);
    },
    async note(key, change) {
      const replaced = await summaryOf(key);
      if (replaced) await write({ ...replaced, ...change }, replaced);
    },
    find: async (panelId, version) =>
      stateOf(newestOf((await versions(panelId)).filter((each) => each.version === version))),
    read: async (key) => stateOf(await summaryOf(key)),
    async at(panelId, instant) {
      const last = newestOf(await lastVersions(panelId, instant));
      return last && isValidAt(last, instant) ? stateOf(last) : null;
    },
    newest: async (panelId) => stateOf(newestOf(await lastVersions(panelId, null))),
    versions: async (panelId) => (await versions(panelId)).toSorted(byBeginning),
    panels: async () => (await items.list(within('state-panels'))).map(summaryIn),
    holdings: async (identity) =>
      (await items.list(holdersOf(identity))).map((item) => valueIn(item, holdingSchema)),
    saveSignOffs: (given) =>
      items.put(
        ...given.map((value) => ({
          partition: within('sign-offs'),
          id: `${panelKey(value.panelId)}#${value.date}#${value.version}`,
          value,
        })),
      ),
    signOffs,
  };
}

/** Ids in the order of numbers. */
const panelKey = (panelId: number): string => String(panelId).padStart(10, '0');

/** Versions in the order in which they began. */
export const stateKey = ({ version, validFrom }: Pick<VersionKey, 'version' | 'validFrom'>): string =>
  `${timeKey(validFrom)}#${version}`;

/** The version that began last. */
const newestOf = <Version extends VersionKey>(versions: readonly Version[]): Version | undefined =>
  versions.toSorted(byBeginning).at(-1);

/** A version is compared with the one before it, and both were read or kept just before. */
const MAX_STATES = 2;

/** A store that need not read again the states which it read or kept last. Nothing else may write these meanwhile. */
export function withLastStates(states: PanelStateStore): PanelStateStore {
  let last: readonly VersionState[] = [];
  const isSame = (one: VersionKey, other: VersionKey): boolean =>
    one.panelId === other.panelId && isSameVersion(one, other);
  const keep = (state: VersionState): void => {
    last = [...last.filter((one) => !isSame(one, state)), state].slice(-MAX_STATES);
  };
  const forget = (key: VersionKey): void => {
    last = last.filter((one) => !isSame(one, key));
  };
  return {
    ...states,
    async save(state) {
      forget(state);
      await states.save(state);
      keep(state);
    },
    async note(key, change) {
      const known = last.find((one) => isSame(one, key));
      forget(key);
      await states.note(key, change);
      if (known) keep({ ...known, ...change });
    },
    async read(key) {
      const known = last.find((one) => isSame(one, key));
      const state = known ?? (await states.read(key));
      if (state) keep(state);
      return state;
    },
  };
}
