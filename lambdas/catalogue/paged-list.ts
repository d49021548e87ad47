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
