import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import {
  type Canonical,
  canonical,
  entityKey,
  itemsOf,
  microseconds,
  otherSources,
  type TrueEntity,
  type TrueVersion,
  type Truth,
  trueFields,
} from './archived-truth.ts';

/** A value of an event that the archive, or the event before it, denies. */
export interface DeniedValue {
  readonly against: 'archive' | 'event before, in order' | 'event before, by arrival';
  /** Such as `rating from`. */
  readonly field: string;
  readonly panelId: number;
  readonly version: string;
  readonly entity: string;
  readonly said: string;
  readonly allowed: string;
  readonly summary: string;
  readonly eventId: string;
  readonly time: string;
}

/** What was held against something, by field. */
export interface Held {
  /** By what it was held against and the field. */
  readonly counts: Map<string, { held: number; denied: number; unknown: number }>;
  readonly denied: DeniedValue[];
  /** Differences of two neighbouring versions that no event states. */
  readonly missing: string[];
}

/** The values that a field may have; undefined where it may have any. */
export type Allowed = ReadonlySet<Canonical> | undefined;

interface Followed {
  present: boolean | undefined;
  readonly fields: Map<string, Allowed>;
  /** The events that stated a field last within the version, by field. */
  readonly stated: Map<string, PanelEvent>;
}

interface Statement {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Nothing was held yet. */
export const emptyHeld = (): Held => ({ counts: new Map(), denied: [], missing: [] });

/** Fields that an added entity may be given; all others are unknown after its addition. */
const addedFields = [
  'sources',
  'tags',
  'modeOfInheritance',
  'modeOfPathogenicity',
  'penetrance',
  'phenotypes',
  'publications',
];

const withoutRating = (values: Fields): Fields =>
  Object.fromEntries(Object.entries(values).map(([key, list]) => [key, otherSources(list)]));

function statementsOf({ type, data }: PanelEvent): readonly Statement[] {
  const change = data.change as Fields;
  if (type === 'gene-panel.entity.classified.v1') {
    return [{ field: 'rating', from: change.from, to: change.to }];
  }
  if (type === 'gene-panel.entity.tags-changed.v1') {
    const [added, removed] = [change.added as string[], change.removed as string[]];
    return [{ field: 'tags', added, removed }];
  }
  if (type === 'gene-panel.entity.annotated.v1') {
    return (change.changes as Fields[]).map(({ field, aspect, ...values }) => ({
      field: aspect === undefined ? String(field) : `${field} ${aspect}`,
      ...values,
      ...(field === 'sources' && withoutRating(values)),
    }));
  }
  return [];
}

/** What an event says of before that its own row does not state. */
const saidFromKnowledge =
  /^(?:rating from|direction|late|removed: rating|(?:added|removed): .*there before)$/;

/** Whether an event was found by comparing two listings. */
export const isListed = ({ data: { change } }: PanelEvent): boolean =>
  'via' in change && change.via === 'listing';

/** An event, and what it is held against. */
export interface Context {
  readonly event: PanelEvent;
  readonly key: string;
  readonly against: DeniedValue['against'];
  readonly held: Held;
}

/** Holds what an event says in a field against the values that it may have; what is undefined is not held. */
export function note(
  { event, key, against, held }: Context,
  field: string,
  said: unknown,
  allowed: Allowed,
): void {
  // Two listings may lie many versions apart.
  if (against === 'archive' && isListed(event)) return;
  // The row itself states what other fields were before: what rows and events denied it is shown by the archive alone.
  if (against !== 'archive' && !saidFromKnowledge.test(field)) return;
  const name = `${against}: ${field}`;
  const count = held.counts.get(name) ?? { held: 0, denied: 0, unknown: 0 };
  held.counts.set(name, count);
  if (said === undefined || allowed === undefined) {
    count.unknown += 1;
    return;
  }
  count.held += 1;
  const value = canonical(said);
  if (allowed.has(value)) return;
  count.denied += 1;
  const { panel, summary } = event.data;
  held.denied.push({
    against,
    field,
    panelId: panel?.id ?? 0,
    version: panel?.version ?? '',
    entity: key,
    said: value,
    allowed: [...allowed].join(' | '),
    summary,
    eventId: event.id,
    time: event.time ?? '',
  });
}

/** The one value that a field may have. */
export const only = (value: unknown): Allowed => new Set([canonical(value)]);
const isPresent = (present: boolean | undefined): Allowed =>
  present === undefined ? undefined : new Set([present ? 'on the panel' : 'not on the panel']);

function fieldIn(entities: readonly TrueEntity[] | undefined, field: string): Allowed {
  const values = (entities ?? []).map((entity) => entity.get(field));
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 || known.length < values.length ? undefined : new Set(known);
}

const union = (one: Allowed, other: Allowed): Allowed =>
  one && other ? new Set([...one, ...other]) : undefined;

/** The list of a state that holds an entity by its name, or by its HGNC id where HGNC changed the symbol. */
function found(version: TrueVersion | undefined, key: string, hgncId: string | undefined) {
  const named = version?.entities.get(key);
  if (named || hgncId === undefined) return named;
  // Several STRs or regions may be linked to one gene.
  const genes = [...(version?.entities ?? [])].flatMap(([other, own]) =>
    other.startsWith('gene ') ? own : [],
  );
  const same = key.startsWith('gene ') ? genes.filter((one) => one.get('hgncId') === hgncId) : [];
  return same.length > 0 ? same : undefined;
}

interface Following {
  readonly against: DeniedValue['against'];
  readonly held: Held;
}

/** Follows the entities of one panel through events, and holds each value against what was there before it. */
function createFollower({ against, held }: Following) {
  let entities = new Map<string, Followed>();
  let before: TrueVersion | undefined;
  let after: TrueVersion | undefined;

  const follow = (key: string, hgncId: string | undefined): Followed => {
    const known = entities.get(key);
    if (known) return known;
    const start = found(before, key, hgncId);
    const fields = new Map(trueFields.map((field) => [field, fieldIn(start, field)] as const));
    const followed: Followed = { present: before && start !== undefined, fields, stated: new Map() };
    entities.set(key, followed);
    return followed;
  };

  const state = (followed: Followed, field: string, to: Allowed, event: PanelEvent): void => {
    followed.fields.set(field, to);
    if (to) followed.stated.set(field, event);
    else followed.stated.delete(field);
  };

  /** What a field may be after a change that does not say so: what it was, or what the version ended with. */
  const open = (followed: Followed, field: string, key: string, hgncId: string | undefined): Allowed =>
    after ? union(followed.fields.get(field), fieldIn(found(after, key, hgncId), field)) : undefined;

  const applyStatement = (context: Context, followed: Followed, statement: Statement): void => {
    const { event, key } = context;
    const hgncId = event.data.entity?.hgncId;
    const { field, from, to, added, removed } = statement;
    // An addition states its tags, and an event of its own states them once more.
    const isOfAddition = field === 'tags' && followed.stated.get('added')?.time === event.time;
    const was = isOfAddition ? only([]) : followed.fields.get(field);
    if (isOfAddition) note(context, 'tags added with it', added, followed.fields.get(field));
    if (field.startsWith('sources')) state(followed, 'rating', open(followed, 'rating', key, hgncId), event);
    if (!trueFields.includes(field)) {
      if (field === 'sources all') state(followed, 'sources', undefined, event);
      return;
    }
    if (field === 'rating') {
      const { direction } = event.data.change as Fields;
      if (from !== null) note(context, 'rating from', from, was);
      if (from === null && direction !== 'new') note(context, 'rating from', undefined, was);
      note(context, 'direction', direction, directionsFor(followed, from, to));
    } else if (from !== undefined) {
      note(context, `${field} from`, from, was);
    }
    if (added ?? removed) {
      const [old] = was?.size === 1 ? [...was] : [];
      const items = old === undefined ? undefined : new Set(itemsOf(old));
      // An archive may hold a source twice.
      for (const item of new Set(removed ?? [])) {
        note(context, `${field} removed`, items ? items.has(item) : undefined, only(true));
        items?.delete(item);
      }
      for (const item of added ?? []) {
        note(context, `${field} added`, items ? !items.has(item) : undefined, only(true));
        items?.add(item);
      }
      state(followed, field, items && only([...items]), event);
      return;
    }
    const isStated = field === 'rating' ? to !== null : to !== undefined;
    state(followed, field, isStated ? only(to) : open(followed, field, key, hgncId), event);
  };

  const directionsFor = (followed: Followed, from: unknown, to: unknown): Allowed => {
    if (to === null) return new Set(['unknown']);
    if (from === null) {
      const mayBeNew = followed.stated.has('added') || followed.present !== true;
      return new Set(mayBeNew ? ['unknown', 'new'] : ['unknown']);
    }
    const order = ['none', 'red', 'amber', 'green'];
    const step = order.indexOf(String(to)) - order.indexOf(String(from));
    return new Set([step > 0 ? 'upgraded' : step < 0 ? 'downgraded' : 'unchanged']);
  };

  const apply = (event: PanelEvent): void => {
    const { entity } = event.data;
    if (!entity) return;
    const key = entityKey(entity.type, entity.name);
    const context: Context = { event, key, against, held };
    const change = event.data.change as Fields;
    switch (event.type) {
      case 'gene-panel.entity.added.v1': {
        const followed = follow(key, entity.hgncId);
        note(context, 'added: not there before', 'not on the panel', isPresent(followed.present));
        followed.present = true;
        followed.stated.set('added', event);
        for (const field of trueFields) state(followed, field, undefined, event);
        for (const field of addedFields) {
          const value = field === 'sources' ? otherSources(change[field]) : change[field];
          if (value !== undefined) state(followed, field, only(value), event);
        }
        if (change.rating !== null) state(followed, 'rating', only(change.rating), event);
        return;
      }
      case 'gene-panel.entity.removed.v1': {
        const followed = follow(key, entity.hgncId);
        note(context, 'removed: there before', 'on the panel', isPresent(followed.present));
        note(context, 'removed: rating', change.rating ?? undefined, followed.fields.get('rating'));
        followed.present = false;
        followed.stated.clear();
        followed.stated.set('removed', event);
        for (const field of trueFields) followed.fields.set(field, undefined);
        return;
      }
      case 'gene-panel.entity.renamed.v1': {
        const old = entityKey(entity.type, change.from);
        const followed = follow(old, undefined);
        note(context, 'renamed: there before', 'on the panel', isPresent(followed.present));
        const gone: Followed = { present: false, fields: new Map(), stated: new Map() };
        entities.set(old, gone);
        entities.set(entityKey(entity.type, change.to), { ...followed, present: true });
        return;
      }
      default: {
        const statements = statementsOf(event);
        if (statements.length === 0) return;
        const followed = follow(key, entity.hgncId);
        if (event.type === 'gene-panel.entity.annotated.v1' && change.rating !== undefined) {
          const allowed = open(followed, 'rating', key, entity.hgncId);
          note(context, 'annotated rating', change.rating ?? undefined, allowed);
        }
        for (const statement of statements) applyStatement(context, followed, statement);
      }
    }
  };

  return {
    apply,
    /** From here on, the entities are as one version ended, and events lead to the end of the next one. */
    anchor(from: TrueVersion | undefined, to: TrueVersion) {
      entities = new Map();
      before = from;
      after = to;
    },
    /** Holds what the events of a version led to against its end. */
    finish(except: ReadonlySet<string>) {
      for (const [key, followed] of entities) {
        if (except.has(key)) continue;
        for (const [field, event] of followed.stated) {
          const context: Context = { event, key, against, held };
          const end = found(after, key, event.data.entity?.hgncId);
          if (field === 'added' || field === 'removed') {
            const said = field === 'added' ? 'on the panel' : 'not on the panel';
            note(context, `${field}: at the end`, said, isPresent(end !== undefined));
            continue;
          }
          const value = followed.fields.get(field);
          const [said] = value?.size === 1 ? [...value] : [];
          note(context, `${field} to`, said, end && fieldIn(end, field));
        }
      }
    },
    /** The fields that differ between the two versions, and that events do not lead to. */
    missing(except: ReadonlySet<string>): readonly string[] {
      if (!before || !after || before.isSuper || after.isSuper) return [];
      const keys = new Set([...before.entities.keys(), ...after.entities.keys(), ...entities.keys()]);
      return [...keys].flatMap((key) => {
        if (except.has(key)) return [];
        const followed = follow(key, undefined);
        const end = after?.entities.get(key);
        if (followed.present !== (end !== undefined)) return [`${key}: presence`];
        if (!end) return [];
        return trueFields.flatMap((field) => {
          const [is, shown] = [followed.fields.get(field), fieldIn(end, field)];
          if (!is || !shown || [...shown].every((value) => is.has(value))) return [];
          return [`${key}: ${field} is ${[...shown]}, events lead to ${[...is]}`];
        });
      });
    },
  };
}

const TWO_MINUTES = 120_000_000n;

const timeOf = ({ time }: PanelEvent): bigint => (time === undefined ? 0n : microseconds(time));

/** `1.10` as a number that comes after that of `1.9`; null where none is stated. */
function versionNumber({ data }: PanelEvent): number | null {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(data.panel?.version ?? '') ?? [];
  return major === undefined ? null : Number(major) * 1e6 + Number(minor);
}

const renamesFirst = ({ type, data }: PanelEvent): number =>
  type === 'gene-panel.entity.renamed.v1' && data.activities.length > 0 ? 0 : 1;

/**
 * The order that the contract states for the events of one panel: by version, and within a version by time, unless they disagree by
 * more than two minutes.
 */
export function comparePlaces(one: PanelEvent, other: PanelEvent): number {
  const [first, second] = [versionNumber(one), versionNumber(other)];
  const apart = timeOf(one) - timeOf(other);
  const byVersion = first === null || second === null ? 0 : first - second;
  const isSetBack = (byVersion < 0 && apart > TWO_MINUTES) || (byVersion > 0 && apart < -TWO_MINUTES);
  return byVersion !== 0 && !isSetBack ? byVersion : Number(apart);
}

/** The order of the contract; a row that renames an entity states its other changes under the new name. */
export const compareByContract = (one: PanelEvent, other: PanelEvent): number =>
  comparePlaces(one, other) || renamesFirst(one) - renamesFirst(other);

interface Holding {
  /** In the order in which they were published; repeats were left out. */
  readonly events: readonly PanelEvent[];
  readonly truth: Truth;
  /** Whether every version was proven, so that no difference may be missing. */
  readonly isProven: boolean;
}

/** Holds each event against the archive of the version before it and of its own. */
export function holdAgainstArchive({ events, truth, isProven }: Holding): Held {
  const held = emptyHeld();
  const byPanel = Map.groupBy(events, ({ data }) => data.panel?.id ?? 0);
  for (const [panelId, versions] of truth) {
    const events = byPanel.get(panelId) ?? [];
    const stated = (event: PanelEvent): string => event.data.panel?.version ?? '';
    const byVersion = Map.groupBy(events, stated);
    const archived = new Set(versions.map(({ version }) => version));
    // What two listings showed first, or what two curators saved at once, has no version of its own: no other is held against it.
    const isUnplaced = (event: PanelEvent): boolean => isListed(event) || !archived.has(stated(event));
    const unplaced = new Set(events.filter(isUnplaced).map(keyOf));
    for (const [index, version] of versions.entries()) {
      const own = (byVersion.get(version.version) ?? []).toSorted(compareByContract);
      const follower = createFollower({ against: 'archive', held });
      follower.anchor(versions[index - 1], version);
      for (const event of own) {
        follower.apply(event);
        holdPanel(event, { versions, index, stated: events.map(stated) }, held);
      }
      follower.finish(unplaced);
      if (isProven) {
        held.missing.push(...follower.missing(unplaced).map((one) => `${panelId} ${version.version} ${one}`));
      }
    }
  }
  return held;
}

const keyOf = ({ data: { entity } }: PanelEvent): string => entityKey(entity?.type, entity?.name);

/** What an event says of its panel. */
function holdPanel(
  event: PanelEvent,
  {
    versions,
    index,
    stated,
  }: {
    readonly versions: readonly TrueVersion[];
    readonly index: number;
    readonly stated: readonly string[];
  },
  held: Held,
): void {
  const { entity } = event.data;
  const [before, own] = [versions[index - 1], versions[index]];
  const key = entity ? entityKey(entity.type, entity.name) : 'panel';
  const context: Context = { event, key, against: 'archive', held };
  if (event.type === 'gene-panel.panel.promoted.v1') {
    // Two curators saved at once: rows name a version that was never archived.
    const named = own ? stated.filter((version) => !versions.some((one) => one.version === version)) : [];
    const said = event.data.change.previousVersion ?? undefined;
    note(context, 'previousVersion', said, before && new Set([before.version, ...named]));
    note(context, 'promoted version', event.data.change.version, own && only(own.version));
  }
  if (entity?.hgncId !== undefined && entity.type === 'gene') {
    const ids = [before, own].flatMap((version) => version?.entities.get(key) ?? []);
    note(context, 'hgncId', entity.hgncId, ids.length > 0 ? fieldIn(ids, 'hgncId') : undefined);
  }
}

/** Holds each event against the one before it of its entity, in the order of the contract. */
export function holdAgainstEachOther({ events }: Pick<Holding, 'events'>): Held {
  const held = emptyHeld();
  const byPanel = Map.groupBy(events, ({ data }) => data.panel?.id ?? 0);
  for (const own of byPanel.values()) {
    const follower = createFollower({ against: 'event before, in order', held });
    for (const event of own.toSorted(compareByContract)) follower.apply(event);
  }
  return held;
}

/** What may change a rating without stating it. */
const changesPresence: ReadonlySet<string> = new Set(
  ['added', 'removed', 'renamed', 'annotated'].map((kind) => `gene-panel.entity.${kind}.v1`),
);

/**
 * Holds each event against the one of its entity that was published before it. One that is marked as late belongs to an earlier
 * place. Something found without a row may lie between two.
 */
export function holdByArrival({ events }: Pick<Holding, 'events'>): Held {
  const held = emptyHeld();
  const order = compareByContract;
  const rated = events.filter(({ type }) => type === 'gene-panel.entity.classified.v1');
  const groups = Map.groupBy(
    rated,
    ({ data }) => `${data.panel?.id} ${entityKey(data.entity?.type, data.entity?.name)}`,
  );
  for (const [key, own] of groups) {
    const newest: PanelEvent[] = [];
    for (const event of own) {
      const context: Context = { event, key, against: 'event before, by arrival', held };
      const last = newest.at(-1);
      const isBehind = last !== undefined && order(event, last) < 0;
      note(context, 'late', event.data.late, last && (isBehind ? only(true) : new Set(['true', 'false'])));
      if (isBehind) continue;
      newest.push(event);
      const { from } = event.data.change as Fields;
      const isBetween = (one: PanelEvent): boolean =>
        last !== undefined && order(last, one) < 0 && order(one, event) <= 0 && one !== event;
      const others = events.filter(
        (one) =>
          one.data.panel?.id === event.data.panel?.id &&
          entityKey(one.data.entity?.type, one.data.entity?.name) ===
            entityKey(event.data.entity?.type, event.data.entity?.name) &&
          isBetween(one),
      );
      const mayDiffer = others.some(
        ({ type, data: { change } }) => 'via' in change || changesPresence.has(type),
      );
      const to = last ? (last.data.change as Fields).to : undefined;
      note(
        context,
        'rating from',
        from ?? undefined,
        mayDiffer || to === null || !last ? undefined : only(to),
      );
    }
  }
  return held;
}

/** What several holdings counted, as lines for people. */
export function linesOf(held: Held): readonly string[] {
  return [...held.counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([field, { held: values, denied, unknown }]) =>
        `${field}: ${values} held, ${denied} denied, ${unknown} not held`,
    );
}
