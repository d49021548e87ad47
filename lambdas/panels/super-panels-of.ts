import type { PanelFacts } from '../events/schemas.ts';

type SuperPanels = PanelFacts['superPanels'];

interface MayHoldPanels {
  readonly id: number;
  readonly name: string;
  /** Absent or null where the catalogue does not list the panels of its super panels. */
  readonly children: readonly number[] | null | undefined;
}

/**
 * Returns the super panels that hold a panel, by that panel's id; undefined where the catalogue does not list the panels
 * of its super panels.
 */
export function superPanelsOf(panels: readonly MayHoldPanels[]): (id: number) => SuperPanels {
  if (panels.every(({ children }) => !children)) return () => undefined;
  const holders = new Map<number, { readonly id: number; readonly name: string }[]>();
  for (const { id, name, children } of panels) {
    for (const child of children ?? []) holders.set(child, [...(holders.get(child) ?? []), { id, name }]);
  }
  return (id) => holders.get(id) ?? [];
}
