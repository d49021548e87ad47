import type { PanelEvent } from '../lambdas/events/schemas.ts';
import type { HistoryPages } from '../lambdas/store/history/sqlite-pages.ts';

/** The newest event of a panel. */
export function newestOf(pages: HistoryPages, catalogue: string, panel: number): PanelEvent | undefined {
  return pages.page({ catalogue, filter: { panels: [panel] } }, { size: 1, examined: 1 }).events[0]?.event;
}

/** The time of the newest event in the history; null for an empty one. */
export function newestTime(pages: HistoryPages): string | null {
  const [newest] = pages.page({}, { size: 1, examined: 1 }).events;
  return newest ? new Date(Number(newest.at / 1000n)).toISOString() : null;
}
