import { expect } from 'vitest';
import { createRelay } from '../../../lambdas/questions/relay/relay.ts';
import type { RelaySource } from '../../../lambdas/questions/relay/shown-panels.ts';

/** Asks a relay, under the name `uk` of its catalogue. */
export function relayOf(source: RelaySource, now: () => number) {
  const answer = createRelay({
    sources: () => new Map([['uk', source]]),
    now,
    onUnreadable: (error) => expect.unreachable(error.message),
  });
  return (path: string, init: RequestInit = {}): Promise<Response> =>
    answer(new Request(`http://relay.example${path}`, init));
}

export type AskRelay = ReturnType<typeof relayOf>;

/** An answer as JSON, where addresses of pages are those after `/api/v1/`. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const body = await answer.text();
  return JSON.parse(body.replaceAll(/https?:\/\/[^"]*?\/api\/v1\//g, '')) as unknown;
}

/**
 * The addresses under `/api/v1/` whose answers of catalogue and relay differ, each with both answers.
 * @param paths followed from page to page
 */
export async function differences(
  paths: readonly string[],
  { catalogue, relay }: { readonly catalogue: string; readonly relay: (path: string) => Promise<Response> },
): Promise<readonly { readonly path: string; readonly wanted: unknown; readonly seen: unknown }[]> {
  const different = [];
  const queue = [...paths];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const [right, own] = await Promise.all([fetch(`${catalogue}${path}`), relay(path)]);
    const [wanted, seen] = await Promise.all([jsonOf(right), jsonOf(own)]);
    if (right.status !== own.status || !isSame(wanted, seen)) different.push({ path, wanted, seen });
    const { next } = (wanted ?? {}) as { readonly next?: string | null };
    if (typeof next === 'string') queue.unshift(next);
  }
  return different;
}

/**
 * Whether both are equal as JSON. The order of fields says nothing; that of a panel's types, of its regions in the list of all, and of
 * rows of the log that were written at one instant is not fixed by the catalogue.
 */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** What fixes the order of an item in its list; null where every item has its place. */
const orderOf = (item: unknown): string | null => {
  const { slug, created, entity_name: name, panel } = (item ?? {}) as Record<string, unknown>;
  if (typeof slug === 'string') return '';
  if (typeof created === 'string') return created;
  return name !== undefined && panel !== undefined
    ? JSON.stringify((panel as { id: number }).id).padStart(9)
    : null;
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    if (items.length === 0 || orderOf(items[0]) === null) return items;
    const key = (item: unknown): string => `${orderOf(item)} ${JSON.stringify(item)}`;
    return items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
