import { kindOf } from './kinds.ts';
import type { PanelEvent } from './schemas.ts';
import { summarize } from './summary.ts';

/** Events without those that others of them correct. */
export function withoutCorrected<Event extends Pick<PanelEvent, 'id' | 'data'>>(
  events: readonly Event[],
): readonly Event[] {
  const corrected = new Set(events.flatMap(({ data }) => data.corrects ?? []));
  return corrected.size === 0 ? events : events.filter(({ id }) => !corrected.has(id));
}

/** The event that a correction corrects, as it was published; null for any other event. */
export function firstStated(event: PanelEvent): PanelEvent | null {
  const { corrects, correctedChange: change, correctedVersion, ...others } = event.data;
  if (corrects === undefined || change === undefined) return null;
  const kind = kindOf(event.type);
  const { panel } = others;
  const isOther = correctedVersion !== undefined && panel !== null;
  const data = { ...others, ...(isOther && { panel: { ...panel, version: correctedVersion } }) };
  const summary = kind === undefined ? data.summary : summarize({ ...data, kind, change });
  return { ...event, id: corrects, data: { ...data, summary, change } } as PanelEvent;
}
