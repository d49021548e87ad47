import { describe, expect, test } from 'vitest';
import { classify } from '../../lambdas/classifier/classify.ts';
import { adversarial } from './adversarial.ts';
import { workOf } from './work.ts';

const FEW = 500;

describe('the work for a text is linear in its length', () => {
  test('the count of work is one', () => {
    const quadratic = (n: number): number =>
      workOf(() => {
        const list: number[] = [];
        for (let item = 0; item < n; item++) list.unshift(item);
      });
    expect(quadratic(2 * FEW) / quadratic(FEW)).toBeGreaterThan(3.5);
    expect(workOf(() => 'a b'.split(' '))).toBe(4);
    expect(workOf(() => 'abc'.startsWith('ab'))).toBe(3);
  });

  test.each(adversarial)('$name', ({ row }) => {
    const [few, many] = [row(FEW), row(4 * FEW)];
    const [less, more] = [workOf(() => classify(few)), workOf(() => classify(many))];
    const length = (activity: typeof few): number =>
      activity.text.length + (activity.entity_name?.length ?? 0) + activity.panel_name.length;
    expect(more / less).toBeLessThan(1.15 * Math.max(4, length(many) / length(few)));
    expect(more).toBeLessThan(100 * length(many));
  });
});
