import type { Life } from './processes.ts';

type Method = (...given: readonly unknown[]) => unknown;

/** Methods that answer without reading or writing. */
const WITHOUT_ACCESS: ReadonlySet<string> = new Set(['canRecord']);

/** A store whose calls are steps of a process: it may die before and after each, and others get their turn. */
export function stepping<Store extends object>(store: Store, life: Life): Store {
  const taken = Object.entries(store).map(([name, value]) => {
    if (typeof value !== 'function' || WITHOUT_ACCESS.has(name)) return [name, value];
    const method = (value as Method).bind(store);
    const finds = name.startsWith('find');
    return [name, (...given: readonly unknown[]) => (finds ? items : stepped)(() => method(...given), life)];
  });
  return Object.fromEntries(taken) as Store;
}

async function stepped(access: () => unknown, life: Life): Promise<unknown> {
  await life.step();
  const value = await access();
  await life.step();
  return value;
}

async function* items(find: () => unknown, life: Life): AsyncGenerator<unknown> {
  await life.step();
  for await (const item of find() as AsyncIterable<unknown>) {
    yield item;
    await life.step();
  }
}
