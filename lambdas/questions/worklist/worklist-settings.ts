import type { Filter } from '../../filters/filter.ts';

/** Which changes a worklist has, and when they are overdue. */
export interface WorklistSettings {
  /**
   * Which changes are entries. A filter that asks for no type, topic, rating, direction, mode of inheritance or tag gives what turned
   * green, what is green no longer, and green genes with another mode of inheritance; one that asks for some gives every event that
   * it matches.
   */
  readonly filter: Filter;
  /** What makes an entry: a change of the working version, or the sign-off that brings it into the signed-off one. */
  readonly counts: 'working' | 'signed-off';
  /** Days after which an entry that is open, or to be analysed again, is overdue. */
  readonly overdueDays: number;
  /** Earlier changes are no entries: ISO 8601 in UTC. Null: every change that the history has is one. */
  readonly since: string | null;
}

/** The worklist where the settings have none. */
export const defaultWorklist: WorklistSettings = {
  filter: {},
  counts: 'working',
  overdueDays: 28,
  since: null,
};

const kindKeys = [
  'topics',
  'types',
  'from',
  'to',
  'direction',
  'green',
  'inheritanceFrom',
  'inheritanceTo',
  'tags',
] as const satisfies (keyof Filter)[];

/** Whether a filter asks for certain events, rather than for what turned green and what is green no longer. */
export const asksForEvents = (filter: Filter): boolean => kindKeys.some((key) => filter[key] !== undefined);
