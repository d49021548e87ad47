import { expect, test } from 'vitest';
import { open } from './http/fixtures/opened.ts';
import { page, panel } from './http/fixtures/responses.ts';
import { serve } from './http/fixtures/server.ts';

const pages = async (
  ...sent: readonly { readonly results: readonly unknown[]; readonly count: unknown }[]
) => {
  const { url } = await serve(
    ...sent.map(({ results, count }, index) =>
      page({ results: [...results], count, next: index % 2 === 0 ? 'more' : null }),
    ),
  );
  return open(url).catalogue.listPanels();
};

test('a list that did not change and has as many items as its count is complete', async () => {
  const listed = await pages({ results: [panel(1)], count: 2 }, { results: [panel(2)], count: 2 });
  expect(listed).toMatchObject({ complete: true, items: [{ id: 1 }, { id: 2 }] });
});

test('a list with an item that cannot be read is not complete', async () => {
  const bad = { ...panel(2), version: 3.1 };
  const listed = await pages({ results: [panel(1)], count: 2 }, { results: [bad, panel(3)], count: 2 });
  expect(listed).toMatchObject({ complete: false, items: [{ id: 1 }, { id: 3 }] });
});

test('a list with fewer items than its count is not complete', async () => {
  const listed = await pages({ results: [panel(1)], count: 3 }, { results: [panel(2)], count: 3 });
  expect(listed.complete).toBe(false);
});

test('a list that changed each time it was read is not complete', async () => {
  const walk = [
    { results: [panel(1), panel(2)], count: 3 },
    { results: [panel(2), panel(3)], count: 3 },
  ];
  expect((await pages(...walk, ...walk)).complete).toBe(false);
});
