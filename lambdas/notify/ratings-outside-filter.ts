import { instantOf, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import type { Filter } from '../subscriptions/filter.ts';
import { ratingKinds } from './rating-events.ts';
import { reasonNotToSend } from './reason-not-to-send.ts';

interface OutsideOptions {
  readonly filter: Filter;
  /** The end of the digest's period, ISO 8601. */
  readonly until: string;
  readonly history: Pick<History, 'find'> | null;
}

/** The most genes that a query names; for more of them, it reads all ratings of the panels. */
const MOST_NAMES = 100;

/**
 * Changes of rating, removals and additions that a digest's filter leaves out, of the entities that the digest is
 * about. A gene that turned green and then amber, or was then removed, is not green in the end, also where the filter
 * asks for `to: green` alone.
 */
export async function ratingsOutsideFilter(
  events: readonly PanelEvent[],
  { filter, until, history }: OutsideOptions,
): Promise<readonly PanelEvent[]> {
  const { to, from, direction } = filter;
  if (!history || (to === undefined && from === undefined && direction === undefined)) return [];
  const rated = events.filter(({ type }) => type === 'gene-panel.entity.classified.v1');
  const unwanted = reasonNotToSend(filter);
  const found: PanelEvent[] = [];
  for (const [catalogue, own] of Map.groupBy(rated, ({ data }) => data.catalogue)) {
    const firsts = new Map<string, string>();
    for (const { subject = '', time = '' } of own) {
      const first = firsts.get(subject);
      if (first === undefined || time < first) firsts.set(subject, time);
    }
    const since = parseInstant([...firsts.values()].sort()[0]);
    const panels = [...new Set(own.flatMap(({ data }) => data.panel?.id ?? []))];
    const genes = [...new Set(own.flatMap(({ data }) => data.entity?.name ?? []))];
    if (since === null || panels.length === 0) continue;
    const about = { panels, ...(genes.length <= MOST_NAMES && { genes }) };
    const ratings = history.find({
      catalogue,
      since,
      until: instantOf(Date.parse(until)),
      filter: { ...about, types: [...ratingKinds] },
      order: 'oldest',
    });
    for await (const event of ratings) {
      const first = firsts.get(event.subject ?? '');
      // What the filter wants and the digest does not have belongs to another digest.
      if (first !== undefined && (event.time ?? '') >= first && unwanted(event) === 'filter')
        found.push(event);
    }
  }
  return found;
}
