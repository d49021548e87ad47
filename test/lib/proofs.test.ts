import { describe, expect, test } from 'vitest';
import { awsFacts } from '../templates/aws-facts.ts';
import { findings } from './proofs/findings.ts';
import { provenStacks } from './proofs/proven-stacks.ts';

const facts = awsFacts();

describe.each(await provenStacks())('the template of $name', ({ stack }) => {
  test('has nothing that AWS would refuse or drop', () => {
    expect(stack.length).toBeGreaterThan(40);
    expect(findings(stack, facts)).toEqual([]);
  });
});
