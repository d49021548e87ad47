import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventKinds } from '../../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { type Topic, topics } from '../../lambdas/events/topics.ts';
import { attributesOf } from '../../lambdas/publishing/attributes.ts';
import { compileFilter } from '../../lambdas/subscriptions/filter.ts';
import { policyOf } from '../../lambdas/subscriptions/filter-policy.ts';
import { anyEvent } from '../events/any-event.ts';
import { anyFilter } from './any-filter.ts';
import { passes } from './sns-policy.ts';

const topicOf = ({ type }: PanelEvent): Topic => eventKinds[kindOf(type) ?? 'activity.unclassified'].topic;

test('SNS delivers every event that a filter matches, and no other where the policy is exact', () => {
  const seen = { delivered: 0, keptBack: 0, exact: 0, rest: 0, nothing: 0 };
  fc.assert(
    fc.property(anyFilter, fc.array(anyEvent, { minLength: 10, maxLength: 30 }), (filter, events) => {
      const matches = compileFilter(filter);
      for (const event of events) {
        const found = policyOf(filter, topicOf(event));
        const delivered = found !== null && passes(found.policy, attributesOf(event));
        if (matches(event)) expect(delivered).toBe(true);
        if (found === null) seen.nothing++;
        else if (found.exact) expect(delivered).toBe(matches(event));
        seen[found?.exact ? 'exact' : 'rest']++;
        seen[delivered ? 'delivered' : 'keptBack']++;
      }
    }),
    { numRuns: 500 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(500);
});

test('a policy keeps to what SNS takes: five keys and 150 combinations', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `NAME${at}`);
  const filter = {
    catalogues: ['uk'],
    panels: [1, 2, 3],
    panelTypes: ['gms-signed-off'],
    genes: many(200),
    entityTypes: ['gene' as const],
    from: ['red' as const, 'amber' as const],
    to: ['green' as const],
    direction: ['upgraded' as const],
  };
  const found = policyOf(filter, 'classifications');
  expect(found).toStrictEqual({
    policy: {
      catalogue: ['uk'],
      entityType: ['gene'],
      ratingTo: ['green'],
      direction: ['upgraded'],
      panelTypes: ['gms-signed-off'],
    },
    exact: false,
  });
  for (const topic of topics) {
    for (const genes of [many(1), many(50), many(151)]) {
      const found = policyOf({ genes, panels: [1, 2, 3] }, topic);
      const sizes = Object.values(found?.policy ?? {}).map(({ length }) => length);
      expect(sizes.length).toBeLessThanOrEqual(5);
      expect(sizes.reduce((product, size) => product * size, 1)).toBeLessThanOrEqual(150);
    }
  }
});

describe('a policy', () => {
  test('expresses a filter for green genes of a panel exactly', () => {
    expect(policyOf({ to: ['green'], panels: [3] }, 'classifications')).toStrictEqual({
      policy: { panelId: [{ numeric: ['=', 3] }], ratingTo: ['green'] },
      exact: true,
    });
  });

  test('leaves genes to the consumer, as one may be renamed after the policy was written', () => {
    expect(policyOf({ to: ['green'], genes: ['BRCA1'] }, 'classifications')).toStrictEqual({
      policy: { ratingTo: ['green'] },
      exact: false,
    });
  });

  test('needs no subscription to a topic whose events cannot match', () => {
    const subscribed = (filter: Parameters<typeof policyOf>[0]): Topic[] =>
      topics.filter((topic) => policyOf(filter, topic) !== null);
    expect(subscribed({ to: ['green'] })).toStrictEqual(['classifications']);
    expect(subscribed({ tags: ['treatable'] })).toStrictEqual(['tags', 'membership']);
    expect(subscribed({ types: ['panel.promoted'] })).toStrictEqual(['promotions']);
    expect(subscribed({ genes: ['BRCA1'] })).not.toContain('panels');
    expect(subscribed({})).toStrictEqual([...topics]);
  });

  test.each([
    ['a panel by name', { panels: ['Hearing loss'] }],
    ['a code of the test directory', { rCodes: ['R59'] }],
    ['an actor', { actors: ['Catherine Snowe'] }],
    ['lateness', { late: true }],
    ['a name beyond ASCII', { genes: ['Ünï'] }],
  ])('lets pass what SNS cannot compare: %s', (_what, filter) => {
    expect(policyOf(filter, 'classifications')).toStrictEqual({ policy: {}, exact: false });
  });

  test('does not keep back a gene that was replaced', () => {
    expect(policyOf({ genes: ['BRCA1'] }, 'membership')).toStrictEqual({ policy: {}, exact: false });
  });
});
