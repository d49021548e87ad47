import { withoutPublished } from '../differences/published-before.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { StateStore } from '../state/store.ts';

/**
 * What events of the log add to the changes of their panels that were found without a row and published before: a row
 * may show up after that.
 */
export async function withoutSilent(
  events: readonly PanelEvent[],
  store: Pick<StateStore, 'silent'>,
): Promise<readonly PanelEvent[]> {
  const panels = new Set(events.flatMap(({ data: { panel } }) => panel?.id ?? []));
  const silent = panels.size > 0 ? await store.silent([...panels]) : new Map<number, readonly PanelEvent[]>();
  return events.flatMap((event) => {
    const found = silent.get(event.data.panel?.id ?? -1) ?? [];
    return withoutPublished(event, found) ?? [];
  });
}
