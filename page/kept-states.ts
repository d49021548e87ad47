import type { StatesOf } from '../lambdas/panels/find-state.ts';
import type { RouteContext } from './route-context.ts';

/** The states of panels that are kept for a catalogue, to compare cases with; no catalogue is asked. */
export const keptStates = (
  { clock, place, states }: RouteContext,
  catalogue: string,
): StatesOf & { readonly catalogue: null } => ({
  opened: {
    catalogue,
    store: states(catalogue),
    keepsStates: false,
    history: place.history,
    names: () => place.history.names(),
  },
  catalogue: null,
  clock,
  remedy: 'This page asks no catalogue; the command impact does, with --catalogue URL.',
});
