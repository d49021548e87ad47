import type { EntityState, KnownStates, PanelState } from '../../store/known-states.ts';

/** Known states, to which the rows of each correlated chunk are added. */
interface GrowingStates extends KnownStates {
  learn(learnt: KnownStates): void;
}

/** States without any entity or panel. */
export function createKnownStates(): GrowingStates {
  const entities = new Map<string, EntityState>();
  const panels = new Map<number, PanelState>();
  return {
    entities,
    panels,
    learn: (learnt) => {
      for (const [key, state] of learnt.entities) entities.set(key, state);
      for (const [id, state] of learnt.panels) panels.set(id, state);
    },
  };
}
