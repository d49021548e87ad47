import type { EditSession } from './recording.ts';
import type { Entity, Panel } from './state.ts';
import type { Values } from './values.ts';

/** Where an action takes place: the session, an entity on its panel, another panel, and what is entered. */
export interface ActionInput {
  readonly session: EditSession;
  readonly entity: Entity;
  readonly otherPanel: Panel;
  /** All panels of the catalogue. */
  readonly panels: readonly Panel[];
  readonly values: Values;
}
