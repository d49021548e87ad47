import { printJson } from './json.ts';

/** A list that is served page by page. */
export interface PagedList {
  /** What the software calls it. */
  readonly title: string;
  readonly count: number;
  /** The items from one index up to another, as JSON. Asking again may give another order. */
  items(start: number, end: number): readonly string[];
}

/** A list whose order never changes. */
export function fixedList(title: string, items: readonly unknown[]): PagedList {
  return {
    title,
    count: items.length,
    items: (start, end) => items.slice(start, end).map(printJson),
  };
}

/** The body of an answer and its status. */
export interface ListAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * A page of a list: the envelope with absolute addresses that keep the other parameters of the request, or 404
 * past the end and where `page` is no page (interface specification, "Paginated list envelope").
 */
export function pageOf(list: PagedList, url: URL, pageSize: number): ListAnswer {
  const asked = url.searchParams.get('page') ?? '1';
  const { count } = list;
  const last = Math.max(1, Math.ceil(count / pageSize));
  const page = /^\d+$/.test(asked) ? Number(asked) : 0;
  if (page < 1 || page > last) return { status: 404, body: printJson({ detail: 'Invalid page.' }) };
  const items = list.items((page - 1) * pageSize, page * pageSize);
  const next = page < last ? address(url, page + 1) : null;
  const previous = page > 1 ? address(url, page - 1) : null;
  const envelope = printJson({ count, next, previous });
  return { status: 200, body: `${envelope.slice(0, -1)},"results":[${items.join(',')}]}` };
}

/** The request's address with another page; the first page has no `page`. */
function address(url: URL, page: number): string {
  const changed = new URL(url);
  if (page === 1) changed.searchParams.delete('page');
  else changed.searchParams.set('page', String(page));
  return changed.href;
}
