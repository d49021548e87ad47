import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventKinds } from '../../lambdas/events/changes.ts';
import type { Topic } from '../../lambdas/events/kinds.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import { policyOf } from '../../lambdas/filters/filter-policy.ts';
import { attributesOf } from '../../lambdas/publishing/message.ts';
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
