import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { type LogPage, logPage } from '../../lambdas/poll/log-page.ts';
import { formatInstant, type Instant, minutes } from '../../lambdas/run/instant.ts';
import { noon } from './simulated-log.ts';

/** The letter of a row is its instant: `a` is the oldest; `t1` and `t2` are two rows of one instant. */
export const instantOf = (row: string): Instant => noon + minutes(row.charCodeAt(0));

/** The row as the catalogue sends it. */
export function letteredRow(text: string): Activity {
  return {
    created: formatInstant(instantOf(text)),
    panel_name: 'Hearing loss',
    panel_id: 12,
    panel_version: '2.1',
    user_name: 'Eleanor Vance',
    item_type: 'panel',
    text,
    entity_name: null,
    entity_type: null,
  };
}

/** What a catalogue says about a page beside its rows. */
interface Given {
  /** Rows of the whole log. */
  readonly count?: number | null;
  readonly isLast?: boolean;
}

/** A page of lettered rows, newest first: `letteredPage(2, 'z t1 t2')`. The log has nine rows where nothing is said. */
export function letteredPage(
  number: number,
  rows: string,
  { count = 9, isLast = false }: Given = {},
): LogPage {
  const page = logPage({
    page: number,
    rows: rows.split(' ').map(letteredRow),
    count,
    hasNext: !isLast,
    serverTime: null,
  });
  if (!page) throw new Error('a page needs rows');
  return page;
}
