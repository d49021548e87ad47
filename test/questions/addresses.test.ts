import { expect, it } from 'vitest';
import { entityAddress } from '../../lambdas/questions/addresses.ts';
import { allQuestions } from '../../lambdas/questions/all.ts';

const names = [
  'BRCA1',
  'HLA-DRB1',
  'a.b_c',
  '',
  'FMR1_CGG',
  'two words',
  'a&b=c',
  'å',
  '100%',
  "5'(x)!~*",
  '+',
  '😀',
];

it.each(names)('the address of %j is written as a form writes it', (gene) => {
  expect(entityAddress(gene)).toBe(`/?${new URLSearchParams({ gene, since: 'all' })}`);
  expect(entityAddress(gene, 7)).toBe(`/?${new URLSearchParams({ panel: '7', gene, since: 'all' })}`);
});

it('the address of a name that is too long leaves it out', () => {
  expect(entityAddress('A'.repeat(201), 7)).toBe('/?panel=7&since=all');
});

it.each(Object.entries(allQuestions))('the question %s is listed by its name', async (name, load) => {
  expect((await load()).question.name).toBe(name);
});
