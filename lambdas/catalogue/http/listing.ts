import type * as z from 'zod';
import type { Log } from '../../run/log.ts';
import type { ListPage } from './response.ts';
import { type Condition, problemOf } from './service-error.ts';

/** Pages of a list by their number. */
export type ReadPages = Map<number, ListPage>;

/** A list of a service that is served in pages. */
export interface Listing<Item> {
  /** The name of the list, for messages: `panels`. */
  readonly name: string;
  /** Returns null past the end. */
  readonly readPage: (page: number) => Promise<ListPage | null>;
  /** Pages that an interrupted reading left, so that it goes on from there; what is read is added. */
  readonly pagesRead?: ReadPages | undefined;
  readonly schema: z.ZodType<Item>;
  /** Returns a key that is the same each time the item is read. */
  readonly identify: (item: Item) => string;
  /** Whether one page may hold an item twice, which is then no sign that the list changed. */
  readonly repeats?: boolean;
  readonly pages: number;
  readonly log: Log;
  readonly fail: (condition: Condition, seen: string) => Error;
}

/** All items of a list. */
export interface Listed<Item> {
  /** Each item once. */
  readonly items: readonly Item[];
  /** False where the list changed while it was read, an item was invalid, or there are not as many as `count` states. */
  readonly complete: boolean;
  /** The server's time at the first page, in milliseconds since the epoch; null where it is not stated. */
  readonly serverTime: number | null;
}

/**
 * Reads all items of a list, each once. Where the list changed meanwhile, it is read a second time, and an interrupted reading
 * begins anew, because an item may have moved to a page that had been read before. Invalid items are logged and left out.
 *
 * @throws {ServiceError} `…_ITEMS_WRONG` for a page with invalid items only, `…_ENDLESS` for more than `pages` pages
 */
export async function readListing<Item>(listing: Listing<Item>): Promise<Listed<Item>> {
  if (await hasMoved(listing)) listing.pagesRead?.clear();
  const first = await readAllPages(listing);
  if (!first.changed) return first;
  listing.pagesRead?.clear();
  const second = await readAllPages(listing);
  if (second.changed) {
    listing.log.warn('The list changed during both readings; items may be missing', { list: listing.name });
  }
  return second;
}

/**
 * Whether the last page of an interrupted reading shows other items by now. Where one item left the list and another joined it, the
 * count is the same, and an item may have moved from a page that is still to be read to one that was read.
 */
async function hasMoved<Item>({ pagesRead, readPage, identify, schema }: Listing<Item>): Promise<boolean> {
  const last = Math.max(...(pagesRead?.keys() ?? []));
  const before = pagesRead?.get(last);
  if (!before?.hasNext) return false;
  const shown = (page: ListPage | null): string =>
    JSON.stringify(
      page?.items.map((item) => {
        const read = schema.safeParse(item);
        return read.success ? identify(read.data) : item;
      }),
    );
  return shown(before) !== shown(await readPage(last));
}

interface Reading<Item> extends Listed<Item> {
  /** The count changed, or an item was read twice. */
  readonly changed: boolean;
}

async function readAllPages<Item>(listing: Listing<Item>): Promise<Reading<Item>> {
  const { readPage, identify, repeats = false, pages, pagesRead, fail } = listing;
  const items = new Map<string, Item>();
  const counts = new Set<number | null>();
  let validCount = 0;
  let repeated = 0;
  let receivedCount = 0;
  let serverTime: number | null = null;
  for (let number = 1; number <= pages; number += 1) {
    const page = pagesRead?.get(number) ?? (await readPage(number));
    if (page) pagesRead?.set(number, page);
    const valid = page ? validItems(page, number, listing) : [];
    const sizeBefore = items.size;
    for (const item of valid) items.set(identify(item), item);
    validCount += valid.length;
    if (repeats) repeated += valid.length - new Set(valid.map(identify)).size;
    receivedCount += page?.items.length ?? 0;
    if (page) counts.add(page.count);
    if (number === 1) serverTime = page?.serverTime ?? null;
    // A server that always announces a next page, with nothing new on it, would never end.
    const nothingNew = items.size === sizeBefore;
    if (!page?.hasNext || nothingNew) {
      const changed = counts.size > 1 || items.size < validCount - repeated;
      const complete = !changed && validCount === receivedCount && counts.has(items.size + repeated);
      return { items: [...items.values()], complete, serverTime, changed };
    }
  }
  throw fail('ENDLESS', `there is still a next page after ${pages} pages of ${listing.name}`);
}

function validItems<Item>(page: ListPage, number: number, listing: Listing<Item>): Item[] {
  const { name, schema, log, fail } = listing;
  const valid: Item[] = [];
  const problems: string[] = [];
  for (const item of page.items) {
    const read = schema.safeParse(item);
    if (read.success) valid.push(read.data);
    else problems.push(problemOf(item, read.error));
  }
  if (problems.length === 0) return valid;
  if (valid.length === 0) {
    throw fail(
      'ITEMS_WRONG',
      `none of the ${page.items.length} items on page ${number} of the ${name} is valid (the first: ${problems[0]})`,
    );
  }
  for (const problem of problems) {
    log.warn('An item of a list is left out', { list: name, page: number, problem });
  }
  return valid;
}

/** A list that is served page by page. */
export interface PagedList {
  /** Its title in the catalogue's software. */
  readonly title: string;
  readonly count: number;
  /** Returns the items from one index up to another, as JSON. Another call may give another order. */
  items(start: number, end: number): readonly string[];
}

/** Creates a list whose order never changes. */
export function fixedList(title: string, items: readonly unknown[]): PagedList {
  return {
    title,
    count: items.length,
    items: (start, end) => items.slice(start, end).map(printJson),
  };
}

/** Status and body of a response. */
export interface ListResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Returns a page of a list: the envelope with absolute addresses that keep the other parameters of the request, or 404 past
 * the end and where `page` is not a page number. Source: docs/interfaces.md, "List envelope".
 */
export function pageOf(list: PagedList, url: URL, pageSize: number): ListResponse {
  const page = pageAsked(list.count, url, pageSize);
  return 'status' in page ? page : page.enclose(list.items(page.start, page.end));
}

/** The items of a list that a request asks for. */
interface AskedPage {
  /** The index of the first one, and of the one after the last. */
  readonly start: number;
  readonly end: number;
  /** The address of the page after it; null for the last one. */
  readonly next: string | null;
  /** @param items as JSON */
  enclose(items: readonly string[]): ListResponse;
}

/** As `pageOf`, for a list whose items are read once it is known which: which ones they are, or 404. */
export function pageAsked(count: number, url: URL, pageSize: number): AskedPage | ListResponse {
  const requested = url.searchParams.get('page') ?? '1';
  const last = Math.max(1, Math.ceil(count / pageSize));
  const page = /^\d+$/.test(requested) ? Number(requested) : 0;
  if (page < 1 || page > last) return { status: 404, body: printJson({ detail: 'Invalid page.' }) };
  const next = page < last ? address(url, page + 1) : null;
  const previous = page > 1 ? address(url, page - 1) : null;
  const envelope = printJson({ count, next, previous });
  return {
    start: (page - 1) * pageSize,
    end: page * pageSize,
    next,
    enclose: (items) => ({
      status: 200,
      body: `${envelope.slice(0, -1)},"results":[${items.join(',')}]}`,
    }),
  };
}

/** The request's address with another page; the first page has no `page`. */
function address(url: URL, page: number): string {
  const changed = new URL(url);
  if (page === 1) changed.searchParams.delete('page');
  else changed.searchParams.set('page', String(page));
  return changed.href;
}

/** Prints JSON as the catalogue does: non-ASCII text as it is, and only U+2028 and U+2029 escaped. */
export function printJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
