import { describe, expect, test } from 'vitest';
import { type Topic, topics } from '../../lambdas/events/kinds.ts';
import { policyOf } from '../../lambdas/filters/filter-policy.ts';

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
