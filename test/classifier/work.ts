/**
 * Counts what work does instead of timing it: every character that a method of strings looks at or copies, and
 * every item that a method of arrays moves. Loops of our own are seen by the methods that they call.
 */
export function workOf(work: () => unknown): number {
  let count = 0;
  const restore = [
    ...watched(String.prototype, {
      startsWith: (_text, [words]) => words.length,
      endsWith: (_text, [words]) => words.length,
      indexOf: (text, [, from = 0], at) => (at === -1 ? text.length : at) - from,
      lastIndexOf: (text, [, from = text.length], at) => from - (at === -1 ? 0 : at),
      includes: (text) => text.length,
      slice: (_text, _given, part) => part.length,
      split: (text) => text.length,
      toLowerCase: (text) => text.length,
    }),
    ...watched(RegExp.prototype, { exec: (_pattern, [text]) => text.length }),
    ...watched(Array.prototype, {
      push: () => 1,
      unshift: (items) => items.length,
      map: (items) => items.length,
      flatMap: (items) => items.length,
      filter: (items) => items.length,
      some: (items) => items.length,
      every: (items) => items.length,
    }),
  ];
  try {
    work();
  } finally {
    for (const back of restore) back();
  }
  return count;

  // biome-ignore lint/suspicious/noExplicitAny: the arguments and results of any method
  type Cost = (self: any, given: any[], result: any) => number;

  function watched(prototype: object, costs: Readonly<Record<string, Cost>>): (() => void)[] {
    return Object.entries(costs).map(([name, cost]) => {
      const original = Object.getOwnPropertyDescriptor(prototype, name);
      const method = original?.value as (...given: unknown[]) => unknown;
      const value = function watching(this: unknown, ...given: unknown[]): unknown {
        const result = Reflect.apply(method, this, given);
        count += 1 + Math.max(0, cost(this, given, result));
        return result;
      };
      Object.defineProperty(prototype, name, { ...original, value });
      return () => Object.defineProperty(prototype, name, original ?? {});
    });
  }
}
