import type * as z from 'zod';
import type { Log } from '../log/log.ts';
import type { ListPage } from './page.ts';
import { problemOf } from './problem.ts';
import type { Condition } from './service-error.ts';

export interface Listing<Item> {
  /** What is listed, for messages: `panels`. */
  readonly name: string;
  /** Null past the end. */
  readonly readPage: (page: number) => Promise<ListPage | null>;
  readonly schema: z.ZodType<Item>;
  /** The same for an item that is met again. */
  readonly identify: (item: Item) => string;
  readonly pages: number;
  readonly log: Log;
  readonly fail: (condition: Condition, seen: string) => Error;
}

/** What was read of a whole list. */
export interface Listed<Item> {
  /** Each item once. */
  readonly items: readonly Item[];
  /**
   * Whether these are all items there were: the list stood still while it was read, every item could be read, and
   * there are as many as the list says.
   */
  readonly complete: boolean;
  /** The server's time at the first page, in milliseconds since the epoch; null where it did not say. */
  readonly serverTime: number | null;
}

/**
 * All items of a list, each once. A list that moved while it was read is read a second time, because an item may
 * have slipped from one page to another that had been read. Bad items are logged and left out; a page of
 * nothing else fails with `…_ITEMS_WRONG`, more than `pages` pages with `…_ENDLESS`.
 */
export async function readListing<Item>(listing: Listing<Item>): Promise<Listed<Item>> {
  const first = await walk(listing);
  if (!first.moved) return first;
  const second = await walk(listing);
  if (second.moved) {
    listing.log.warn('The list moved each time it was read; items may be missing', { list: listing.name });
  }
  return second;
}

interface Walk<Item> extends Listed<Item> {
  /** The count changed, or an item was met twice. */
  readonly moved: boolean;
}

async function walk<Item>(listing: Listing<Item>): Promise<Walk<Item>> {
  const { readPage, identify, pages, fail } = listing;
  const items = new Map<string, Item>();
  const counts = new Set<number | null>();
  let read = 0;
  let sent = 0;
  let serverTime: number | null = null;
  for (let number = 1; number <= pages; number += 1) {
    const page = await readPage(number);
    const good = page ? goodItems(page, number, listing) : [];
    const known = items.size;
    for (const item of good) items.set(identify(item), item);
    read += good.length;
    sent += page?.items.length ?? 0;
    if (page) counts.add(page.count);
    if (number === 1) serverTime = page?.serverTime ?? null;
    // A server that says there is more and has nothing new would say so for ever.
    const exhausted = items.size === known;
    if (!page?.hasNext || exhausted) {
      const moved = counts.size > 1 || items.size < read;
      const complete = !moved && read === sent && counts.has(items.size);
      return { items: [...items.values()], complete, serverTime, moved };
    }
  }
  throw fail('ENDLESS', `there is still more after ${pages} pages of ${listing.name}`);
}

function goodItems<Item>(page: ListPage, number: number, listing: Listing<Item>): Item[] {
  const { name, schema, log, fail } = listing;
  const good: Item[] = [];
  const problems: string[] = [];
  for (const item of page.items) {
    const read = schema.safeParse(item);
    if (read.success) good.push(read.data);
    else problems.push(problemOf(item, read.error));
  }
  if (problems.length === 0) return good;
  if (good.length === 0) {
    throw fail(
      'ITEMS_WRONG',
      `none of the ${page.items.length} items on page ${number} of the ${name} can be read (the first: ${problems[0]})`,
    );
  }
  for (const problem of problems)
    log.warn('An item of a list is left out', { list: name, page: number, problem });
  return good;
}
