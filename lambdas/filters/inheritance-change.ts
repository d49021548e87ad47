import { inheritanceGroupOf } from '../events/inheritance.ts';
import type { Rating } from '../events/ratings.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';

/** A change of the mode of inheritance, as the catalogue writes it; null where it is not stated. */
interface InheritanceStep {
  readonly from: string | null;
  readonly to: string | null;
}

/** The change of the mode of inheritance that an event states; null where it states none. */
export function inheritanceOf(event: PanelEvent): InheritanceStep | null {
  if (event.type !== 'gene-panel.entity.annotated.v1') return null;
  for (const { field, from, to } of event.data.change.changes)
    if (field === 'modeOfInheritance' && (from === undefined || from !== to))
      return { from: textOf(from), to: textOf(to) };
  return null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What a period made of the mode of inheritance of one entity that is green, or may be. */
export interface InheritanceChange extends InheritanceStep {
  readonly entity: Entity;
  /** Its rating in the end: green, or `unknown`. */
  readonly rating: Rating | 'absent' | 'unknown';
  /** `time` of the last event that changed the mode, who caused it, and the panel's version after it. */
  readonly at: string;
  readonly actor: string | null;
  readonly version: string | null;
}

/** Whether two modes of inheritance are of different groups: one may make single variants reportable, the other not. */
export const isOtherInheritance = ({ from, to }: InheritanceStep): boolean =>
  inheritanceGroupOf(from) !== inheritanceGroupOf(to);

/** Whether a change of the mode of inheritance matters for an entity of this rating. */
export const countsAsGreen = (rating: InheritanceChange['rating']): boolean =>
  rating === 'green' || rating === 'unknown';
