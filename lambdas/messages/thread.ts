import type { PanelEvent } from '../events/schemas.ts';
import type { Thread } from './notice.ts';
import { panelTitle } from './panel-words.ts';

/** The thread of the messages about one panel of one catalogue. */
export function threadOf({ catalogue, panel }: PanelEvent['data']): Thread {
  const name = catalogue.replace(/[^\w.-]+/g, '-');
  if (!panel) return { id: name, title: catalogue };
  return { id: `${name}.panel.${panel.id ?? 'deleted'}`, title: panelTitle(panel) };
}
