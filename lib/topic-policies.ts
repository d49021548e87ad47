import { type Topic as Family, topics } from '../lambdas/events/topics.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { type FilterPolicy, policyOf } from '../lambdas/filters/filter-policy.ts';

/** SNS's limit of value combinations in one policy. */
const MOST_COMBINATIONS = 150;

/**
 * The topics that a queue for several filters must subscribe to, each with a policy that passes every event
 * that one of the filters wants: the keys that all filters have, with the values of all. The function decides the rest.
 */
export function topicPolicies(filters: readonly Filter[]): readonly (readonly [Family, FilterPolicy])[] {
  return topics.flatMap((family) => {
    const policies = filters.flatMap((filter) => policyOf(filter, family)?.policy ?? []);
    return policies.length === 0 ? [] : [[family, union(policies)] as const];
  });
}

/**
 * Left out of the policy: a change of rating outside the filter may revert one that waits for its message, and a gene
 * may be renamed after the deployment. The function decides by all names that a gene had.
 */
const leftOut: readonly string[] = ['ratingFrom', 'ratingTo', 'direction', 'entityName'];

function union(policies: readonly FilterPolicy[]): FilterPolicy {
  const [first = {}, ...others] = policies;
  const shared = (Object.keys(first) as (keyof FilterPolicy)[])
    .filter((name) => !leftOut.includes(name) && others.every((policy) => policy[name] !== undefined))
    .map((name) => [name, distinct(policies.flatMap((policy) => policy[name] ?? []))] as const)
    .sort(([, one], [, other]) => one.length - other.length);
  const kept: Record<string, unknown> = {};
  let combinations = 1;
  for (const [name, values] of shared) {
    combinations *= values.length;
    if (combinations > MOST_COMBINATIONS) break;
    kept[name] = values;
  }
  return kept as FilterPolicy;
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
