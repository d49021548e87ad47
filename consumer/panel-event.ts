import type {
  About,
  Changes,
  Common,
  Entity,
  EntityClassified,
  Envelope,
  EventPanel,
} from './event-types.ts';

/** The name of a type without the prefix `gene-panel.` and the version suffix. */
export type EventKindName = keyof Changes;

/** A rating as a list: green is diagnostic; `none` is "No list". */
export type Rating = NonNullable<EntityClassified['to']>;

/** How a rating changed. */
export type Direction = EntityClassified['direction'];

/** The panel and the entity of `data`, by what a kind of event is about. */
interface Subjects {
  readonly panel: { readonly panel: EventPanel; readonly entity: null };
  readonly entity: { readonly panel: EventPanel; readonly entity: Entity };
  /** `entity` is null where the row does not name it. */
  readonly 'entity if named': { readonly panel: EventPanel; readonly entity: Entity | null };
  /** Both are null where the row could not be read. */
  readonly row: { readonly panel: EventPanel | null; readonly entity: Entity | null };
}

/** The `data` of an event of a kind. */
export type EventData<Kind extends EventKindName = EventKindName> = {
  [K in Kind]: Common &
    Subjects[About[K]] & {
      readonly change: Changes[K];
      /** With `corrects`: the change as the corrected event stated it. */
      readonly correctedChange?: Changes[K];
    };
}[Kind];

/** One event as it is published. Narrow it by `type`, or by a guard such as `isClassified`. */
export type PanelEvent<Kind extends EventKindName = EventKindName> = {
  [K in Kind]: Envelope & { readonly type: `gene-panel.${K}.v1`; readonly data: EventData<K> };
}[Kind];
