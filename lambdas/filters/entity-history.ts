import type { Annotation, Rating } from '../events/changes.ts';
import { inheritanceGroupOf } from '../events/inheritance.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';

/** The state of an entity on a panel: its rating, `unknown` where the log does not state it, `absent` if not on the panel. */
export type EntityStatus = Rating | 'unknown' | 'absent';

/** What a period made of one entity on one panel. */
export interface EntityChange {
  readonly entity: Entity;
  /** Names that it had before it was replaced or renamed within the period, oldest first. */
  readonly formerly: readonly string[];
  readonly from: EntityStatus;
  readonly to: EntityStatus;
  /** Every state from `from` to `to`, both included; two where there was one change. */
  readonly steps: readonly EntityStatus[];
  /** `time` of the last event that changed the state, and who caused it. */
  readonly at: string;
  readonly actor: string | null;
  /** The panel's version after that change. */
  readonly version: string | null;
  /** What else the period changed of the entity, oldest first, such as its mode of inheritance. */
  readonly annotations: readonly Annotation[];
}

/**
 * Follows one entity of a panel through the events of a period, oldest first, also where it is renamed. A class, since a report
 * follows tens of thousands: with functions of its own, each takes several times the memory.
 */
export class EntityHistory {
  readonly #first: Entity;
  #entity: Entity;
  readonly #steps: EntityStatus[] = [];
  #formerly: readonly string[] = none;
  #annotations: readonly Annotation[] = none;
  #last: Pick<EntityChange, 'at' | 'actor' | 'version'> | undefined;
  #inheritance: Omit<InheritanceChange, 'entity' | 'rating'> | undefined;
  #ratedAs: EntityStatus = 'unknown';

  constructor(first: Entity) {
    this.#first = first;
    this.#entity = first;
  }

  add(event: PanelEvent): void {
    if (event.type === 'gene-panel.entity.renamed.v1') {
      this.#formerly = [...this.#formerly, this.#entity.name];
      this.#entity = { ...(event.data.entity ?? this.#entity), name: event.data.change.to };
      return;
    }
    if (event.data.entity) this.#entity = event.data.entity;
    const step = inheritanceOf(event);
    if (step) {
      const from = this.#inheritance ? this.#inheritance.from : step.from;
      this.#inheritance = { ...originOf(event), from, to: step.to };
      if (event.type === 'gene-panel.entity.annotated.v1')
        this.#ratedAs = event.data.change.rating ?? this.#ratedAs;
    }
    const statuses = statusesOf(event, this.#steps.at(-1));
    if (statuses === aboutNoState) return;
    this.#last ??= originOf(event);
    for (const status of statuses) {
      if (this.#steps.at(-1) === status) continue;
      this.#steps.push(status);
      this.#last = originOf(event);
    }
    if (event.type === 'gene-panel.entity.annotated.v1') {
      const more = event.data.change.changes.slice(0, MOST_ANNOTATIONS - this.#annotations.length);
      this.#annotations = [...this.#annotations, ...more];
    }
  }

  /** The entity under its last name. */
  now(): Entity {
    return this.#entity;
  }

  /** The names before and after, where they differ. */
  renaming(): { readonly from: string; readonly to: string } | null {
    const [from, to] = [this.#first.name, this.#entity.name];
    return this.#formerly.length === 0 || from === to ? null : { from, to };
  }

  /** Null where the mode of inheritance is of the same group as before, or the entity is known not to be green. */
  inheritance(): InheritanceChange | null {
    const rating = this.#steps.at(-1) ?? this.#ratedAs;
    if (!this.#inheritance || !countsAsGreen(rating) || !isOtherInheritance(this.#inheritance)) return null;
    return { entity: this.#entity, rating, ...this.#inheritance };
  }

  /** Null where no event stated or changed the entity's state. */
  change(): EntityChange | null {
    const [steps, entity] = [this.#steps, this.#entity];
    const [from] = steps;
    const to = steps.at(-1);
    if (from === undefined || to === undefined || !this.#last) return null;
    const formerly = [...new Set(this.#formerly)].filter((name) => name !== entity.name);
    return { entity, formerly, from, to, steps, annotations: this.#annotations, ...this.#last };
  }
}

const none: readonly never[] = [];

/** What these events, oldest first, made of an entity; null where none of them states or changes its state. */
export function netChangeOf(entity: Entity, events: Iterable<PanelEvent>): EntityChange | null {
  const history = new EntityHistory(entity);
  for (const event of events) history.add(event);
  return history.change();
}

/** What `statusesOf` returns for the kinds of events that never state or change an entity's state. */
const aboutNoState: readonly EntityStatus[] = [];

/** More of one entity are not kept. */
const MOST_ANNOTATIONS = 20;

/** Who caused an event, and when. Events themselves are not kept: a report reads a hundred thousand. */
function originOf({ data, time = '' }: PanelEvent): Pick<EntityChange, 'at' | 'actor' | 'version'> {
  return { at: time, actor: data.actor, version: data.panel?.version ?? null };
}

/**
 * Returns the states of its entity that an event shows, oldest first, given the state that is known before it; empty where the
 * event states and changes none.
 */
export function statusesOf(event: PanelEvent, now: EntityStatus | undefined): readonly EntityStatus[] {
  switch (event.type) {
    case 'gene-panel.entity.classified.v1': {
      const { from, to, direction } = event.data.change;
      const rating = to ?? 'unknown';
      // An added entity gives two events of one time, in either order.
      if (direction === 'new') return now === undefined || now === 'absent' ? ['absent', rating] : [rating];
      if (from !== null) return [from, rating];
      return now === undefined ? ['unknown', rating] : [rating];
    }
    case 'gene-panel.entity.added.v1': {
      const rating = event.data.change.rating ?? 'unknown';
      return now === undefined || now === 'absent' ? ['absent', rating] : [];
    }
    case 'gene-panel.entity.removed.v1':
      return [now ?? event.data.change.rating ?? 'unknown', 'absent'];
    case 'gene-panel.entity.annotated.v1':
      return losesItsRating(event, now) ? [now ?? event.data.change.rating ?? 'unknown', 'unknown'] : [];
    case 'gene-panel.entity.renamed.v1':
    case 'gene-panel.entity.tags-changed.v1':
    case 'gene-panel.entity.reviewed.v1':
    case 'gene-panel.entity.review-deleted.v1':
    case 'gene-panel.entity.commented.v1':
    case 'gene-panel.entity.reviews-copied.v1':
    case 'gene-panel.entity.marked-ready.v1':
    case 'gene-panel.entity.disagreement.v1':
    case 'gene-panel.panel.promoted.v1':
    case 'gene-panel.panel.signed-off.v1':
    case 'gene-panel.panel.created.v1':
    case 'gene-panel.panel.deleted.v1':
    case 'gene-panel.panel.published.v1':
    case 'gene-panel.panel.withdrawn.v1':
    case 'gene-panel.panel.changed.v1':
    case 'gene-panel.activity.unclassified.v1':
      return aboutNoState;
    default:
      return event satisfies never;
  }
}

/**
 * Whether an event takes the source away that gave an entity its rating. The catalogue then rates it anew by the sources
 * that are left, and its log does not say how.
 */
function losesItsRating(
  { data: { change } }: PanelEvent<'entity.annotated'>,
  now: EntityStatus | undefined,
): boolean {
  // An event that states no rating took none away.
  if (change.rating === undefined) return false;
  const rating = now ?? change.rating ?? 'unknown';
  return change.changes.some(
    ({ field, aspect, removed = [] }) =>
      field === 'sources' &&
      (aspect === 'all' || removed.some((source) => source.toLowerCase() === `expert review ${rating}`)),
  );
}

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
