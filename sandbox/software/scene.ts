import type { Desk } from './sheet.ts';
import type { Entity, Panel } from './state.ts';
import type { Values } from './values.ts';

/** Where an action takes place: the desk, an entity on its panel, another panel, and what is entered. */
export interface Scene {
  readonly desk: Desk;
  readonly entity: Entity;
  readonly otherPanel: Panel;
  readonly values: Values;
}
