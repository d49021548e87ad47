import { expect, test } from 'vitest';
import { ahead } from '../../lambdas/poll/publish-rows.ts';

/** Lets everything go on that waits for nothing outside. */
const allElse = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A source of numbers from 1, and what happened to it so far. */
function numbers(failAt = Number.POSITIVE_INFINITY) {
  const seen: string[] = [];
  const source = async function* (stop: AbortSignal): AsyncGenerator<number> {
    stop.addEventListener('abort', () => seen.push('stop'));
    try {
      for (let number = 1; ; number += 1) {
        seen.push(`make ${number}`);
        await allElse();
        if (number === failAt) throw new Error(`no ${number}`);
        yield number;
      }
    } finally {
      seen.push('end');
    }
  };
  return { seen, source };
}

test('the next item is made while one is used, and no further one', async () => {
  const { seen, source } = numbers();
  const items = ahead(source);
  expect(await items.next()).toMatchObject({ value: 1 });
  await allElse();
  await allElse();
  expect(seen).toStrictEqual(['make 1', 'make 2']);
  expect(await items.next()).toMatchObject({ value: 2 });
  expect(seen).toStrictEqual(['make 1', 'make 2', 'make 3']);
  await items.return(undefined);
});

test('an error comes after the items before it', async () => {
  const { seen, source } = numbers(3);
  const used: number[] = [];
  const use = async (): Promise<void> => {
    for await (const number of ahead(source)) {
      // The error is there before it is asked for.
      while (number === 2 && !seen.includes('end')) await allElse();
      used.push(number);
    }
  };
  await expect(use()).rejects.toThrow('no 3');
  expect(used).toStrictEqual([1, 2]);
});

test.each([Number.POSITIVE_INFINITY, 2])(
  'a reader that fails goes on once the source has stopped, where item %d ahead of it fails too',
  async (failAt) => {
    const { seen, source } = numbers(failAt);
    const use = async (): Promise<void> => {
      for await (const number of ahead(source)) throw new Error(`cannot use ${number}`);
    };
    await expect(use()).rejects.toThrow('cannot use 1');
    expect(seen).toStrictEqual(['make 1', 'make 2', 'stop', 'end']);
  },
);

test('a signal from outside ends it before the next item', async () => {
  const { seen, source } = numbers();
  const outer = new AbortController();
  const items = ahead(source, outer.signal);
  await items.next();
  outer.abort(new Error('enough'));
  await expect(items.next()).rejects.toThrow('enough');
  expect(seen).toStrictEqual(['make 1', 'make 2', 'stop', 'end']);
});
