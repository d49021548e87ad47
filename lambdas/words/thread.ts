import type { PanelEvent } from '../events/schemas.ts';
import type { Thread } from './notice.ts';
import { panelTitle } from './panel-words.ts';

/** No chat states how long the id of a thread may be, and a mail's Message-ID may have 998 characters. */
const LONGEST_PART = 100;

/** The id of a thread, of letters, digits, full stops, hyphens and underscores, however long and odd its parts are. */
export function threadId(...parts: readonly (string | number)[]): string {
  return parts
    .map((part) =>
      String(part)
        .slice(0, LONGEST_PART)
        .replace(/[^\w.-]+/g, '-'),
    )
    .join('.');
}

/** The thread of the messages about one panel of one catalogue. */
export function threadOf({ catalogue, panel }: PanelEvent['data']): Thread {
  if (!panel) return { id: threadId(catalogue), title: catalogue };
  return { id: threadId(catalogue, 'panel', panel.id ?? 'deleted'), title: panelTitle(panel) };
}
