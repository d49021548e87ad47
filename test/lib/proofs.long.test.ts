import { describe, expect, test } from 'vitest';
import { awsFacts } from '../templates/aws-facts.ts';
import { findings } from './proofs/findings.ts';
import { wholeProven } from './proofs/proven-stacks.ts';
import { removals } from './proofs/removals.ts';

const facts = awsFacts();
const { stack } = wholeProven();
const all = removals(stack);

test('rights, policies and alarms are taken away by the hundred', () => {
  expect(all.length).toBeGreaterThan(300);
});

describe('taking away by hand', () => {
  test.each(all)('$title is found, by name', ({ names, without }) => {
    const found = findings(without(), facts);
    expect(found.length).toBeGreaterThan(0);
    expect(found.some((finding) => names.some((name) => finding.includes(name)))).toBe(true);
  });
});
