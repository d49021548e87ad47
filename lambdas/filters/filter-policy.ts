import { type AttributeName, messageAttributes } from '../events/attributes.ts';
import { type EventKindName, eventKindNames, eventKinds } from '../events/changes.ts';
import type { Topic } from '../events/kinds.ts';
import { typeName } from '../events/schemas.ts';
import { type Filter, type NormalizedFilter, normalized } from './filter.ts';

type Condition = string | { readonly numeric: readonly ['=', number] } | { readonly exists: false };

/** An SNS filter policy on message attributes; without keys every message passes. */
export type FilterPolicy = Readonly<Partial<Record<AttributeName, readonly Condition[]>>>;

/** What SNS can decide of a filter on one topic. */
interface TopicPolicy {
  readonly policy: FilterPolicy;
  /** False where the policy lets more pass than the filter, so that `compileFilter` must decide the rest. */
  readonly exact: boolean;
}

/**
 * Limits of SNS: https://docs.aws.amazon.com/sns/latest/dg/subscription-filter-policy-constraints.html
 */
const MOST_KEYS = 5;
const MOST_COMBINATIONS = 150;

/**
 * The filter policy of a subscription to one topic. It lets every event pass that matches the filter. Null
 * where no event of the topic can match, so that no subscription is needed.
 */
export function policyOf(filter: Filter, topic: Topic): TopicPolicy | null {
  const wanted = normalized(filter);
  const isOfTopic = (kind: EventKindName): boolean => eventKinds[kind].topic === topic;
  const all = eventKindNames.filter(isOfTopic);
  const needed = [
    ...(wanted.genes ? ['entityName' as const] : []),
    ...(wanted.entityTypes ? ['entityType' as const] : []),
  ];
  const able = (possibleKinds(wanted) ?? all).filter(
    (kind) => isOfTopic(kind) && needed.every((name) => messageAttributes[name].on.includes(kind)),
  );
  if (able.length === 0) return null;

  const rules: readonly AttributeRule[] = [
    { name: 'type', conditions: able.length < all.length ? able.map(typeName) : undefined },
    { name: 'catalogue', conditions: exactly(wanted.catalogues) },
    {
      name: 'panelId',
      conditions: wanted.panelIds && (wanted.panelNames?.length ? null : wanted.panelIds.map(numbered)),
    },
    { name: 'entityType', conditions: wanted.entityTypes },
    // A gene may be renamed after the policy was written: the consumer decides by every name that it had.
    { name: 'entityName', conditions: wanted.genes && null },
    { name: 'ratingFrom', conditions: wanted.from?.map(rated) },
    { name: 'ratingTo', conditions: wanted.to?.map(rated) },
    { name: 'direction', conditions: wanted.direction },
    { name: 'panelTypes', conditions: exactly(wanted.panelTypes) },
  ];
  const expressible = rules.flatMap(({ name, conditions }) => (conditions ? [{ name, conditions }] : []));
  const kept = withinLimits(expressible);
  const { rCodes, tags, actors, late, green, inheritanceFrom, inheritanceTo } = wanted;
  const undecided = [rCodes, tags, actors, late, green, inheritanceFrom, inheritanceTo].some(
    (key) => key !== undefined,
  );
  return {
    policy: Object.fromEntries(kept.map(({ name, conditions }) => [name, conditions])),
    exact:
      !rules.some(({ conditions }) => conditions === null) &&
      !undecided &&
      kept.length === expressible.length,
  };
}

/** `null`: a key or value of the filter that SNS cannot express; `undefined`: the filter does not have the key. */
interface AttributeRule {
  readonly name: AttributeName;
  readonly conditions: readonly Condition[] | null | undefined;
}

type ExpressibleRule = AttributeRule & { readonly conditions: readonly Condition[] };

/** The kinds of events that can match a key of a filter, where these are a few. */
const kindsOfKey = {
  tags: ['entity.tags-changed', 'entity.added'],
  from: ['entity.classified'],
  to: ['entity.classified'],
  direction: ['entity.classified'],
  green: ['entity.classified', 'entity.removed', 'entity.annotated'],
  inheritanceFrom: ['entity.annotated'],
  inheritanceTo: ['entity.annotated'],
} as const satisfies Partial<Record<keyof NormalizedFilter, readonly EventKindName[]>>;

/** The kinds of events that can match a filter; undefined where every kind can. */
export function possibleKinds(wanted: NormalizedFilter): readonly EventKindName[] | undefined {
  const { kinds, topics } = wanted;
  const lists: readonly (readonly EventKindName[] | undefined)[] = [
    kinds,
    topics && eventKindNames.filter((kind) => topics.includes(eventKinds[kind].topic)),
    ...Object.entries(kindsOfKey).map(([key, able]) => wanted[key as keyof typeof kindsOfKey] && able),
  ];
  const stated = lists.filter((list) => list !== undefined);
  if (stated.length === 0) return undefined;
  return eventKindNames.filter((kind) => stated.every((list) => list.includes(kind)));
}

/** Attribute values are cut and cleaned (`publishing/message.ts`); only names that stay as they are can be compared. */
const plain = /^[!-~]+(?: [!-~]+)*$/;
const LONGEST_NAME = 255;

const exactly = (names: readonly string[] | undefined): AttributeRule['conditions'] =>
  names && (names.every((name) => plain.test(name) && name.length <= LONGEST_NAME) ? names : null);
const numbered = (id: number): Condition => ({ numeric: ['=', id] });
const rated = (rating: string): Condition => (rating === 'unknown' ? { exists: false } : rating);

/** Leaves out the keys with the most values until SNS takes the policy. */
function withinLimits(expressible: readonly ExpressibleRule[]): readonly ExpressibleRule[] {
  const byCost = [...expressible].sort((one, other) => one.conditions.length - other.conditions.length);
  const kept = new Set<ExpressibleRule>();
  let combinations = 1;
  for (const key of byCost) {
    combinations *= key.conditions.length;
    if (kept.size === MOST_KEYS || combinations > MOST_COMBINATIONS) break;
    kept.add(key);
  }
  return expressible.filter((key) => kept.has(key));
}
