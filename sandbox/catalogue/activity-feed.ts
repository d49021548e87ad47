import { type PagedList, printJson } from '../../lambdas/catalogue/paged-list.ts';

/** A row with its time and panel. */
export interface FeedRow {
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly panelId: unknown;
  readonly row: unknown;
}

/**
 * The order of rows with equal times: `redrawn` at each request, as the catalogue's database does it, or `fixed`, with the
 * row that was added last first.
 */
export type Ties = 'redrawn' | 'fixed';

/** The activity log: newest first by time, and by nothing else. */
export interface ActivityFeed extends PagedList {
  /** Adds rows. They appear where their times place them, possibly below rows that were served before. */
  add(rows: readonly FeedRow[]): void;
  /** Removes all rows of a panel, including those that are added later. */
  hide(panelId: number): void;
  /** Brings the rows of a panel back at their old places. */
  reveal(panelId: number): void;
  readonly hidden: ReadonlySet<number>;
  /** The rows of a panel as JSON, newest first. */
  ofPanel(panelId: number): readonly string[];
}

interface KeptRow {
  readonly at: number;
  readonly panelId: unknown;
  readonly json: string;
}

/** Creates an empty log. */
export function activityFeed(ties: Ties, random: () => number): ActivityFeed {
  /** Oldest first. */
  let rows: KeptRow[] = [];
  const hidden = new Set<number>();
  let visible: readonly KeptRow[] | undefined;

  const isHidden = ({ panelId }: KeptRow): boolean => typeof panelId === 'number' && hidden.has(panelId);
  const shown = (): readonly KeptRow[] => {
    visible ??= hidden.size === 0 ? rows : rows.filter((row) => !isHidden(row));
    return visible;
  };

  return {
    title: 'Activities List',
    hidden,
    get count() {
      return shown().length;
    },
    add(added) {
      const kept = added.map(({ at, panelId, row }) => ({ at, panelId, json: printJson(row) }));
      // Sorting keeps the order among equals, so that what comes later stays later.
      rows = [...rows, ...kept].sort((one, other) => one.at - other.at);
      visible = undefined;
    },
    hide(panelId) {
      hidden.add(panelId);
      visible = undefined;
    },
    reveal(panelId) {
      hidden.delete(panelId);
      visible = undefined;
    },
    ofPanel: (panelId) =>
      shown()
        .filter((row) => row.panelId === panelId)
        .map(({ json }) => json)
        .reverse(),
    items(start, end) {
      return cut(shown(), start, end, ties === 'redrawn' ? random : undefined).map(({ json }) => json);
    },
  };
}

/**
 * The rows from one index up to another, newest first. Where a boundary lies among rows of equal time, these are drawn
 * from all rows of that time, so that two pages may hold the same row and no page another.
 */
function cut(
  rows: readonly KeptRow[],
  start: number,
  end: number,
  random: (() => number) | undefined,
): readonly KeptRow[] {
  const newest = rows.length - 1;
  const at = (index: number): number | undefined => rows[newest - index]?.at;
  const stop = Math.min(end, rows.length);
  let from = start;
  let to = stop;
  while (from > 0 && at(from - 1) === at(from)) from -= 1;
  while (to < rows.length && at(to) === at(to - 1)) to += 1;
  const window = rows.slice(newest - to + 1, newest - from + 1).reverse();
  if (random) shuffleTies(window, random);
  return window.slice(start - from, stop - from);
}

function shuffleTies(rows: KeptRow[], random: () => number): void {
  let start = 0;
  for (let end = 1; end <= rows.length; end += 1) {
    if (end < rows.length && rows[end]?.at === rows[start]?.at) continue;
    if (end - start > 1) rows.splice(start, end - start, ...shuffled(rows.slice(start, end), random));
    start = end;
  }
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
