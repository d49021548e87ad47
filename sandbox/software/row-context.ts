import { capitalizedLabelOf, type EntityType, labelOf } from './entity-type.ts';

/** What a reader of a row knows beside its text: the panel, and the entity where the row names it. */
export interface RowContext {
  readonly panelName: string;
  readonly entityType: EntityType | null;
  readonly entityName: string | null;
  /** On a panel-level row. */
  readonly panelLevel: boolean;
}

/** The placeholders whose text the fields of a row give. */
export function knownSlots({
  panelName,
  entityType,
  entityName,
}: RowContext): Readonly<Record<string, string>> {
  return {
    panel: panelName,
    ...(entityType !== null && entityName !== null
      ? {
          label: labelOf(entityType, entityName),
          Label: capitalizedLabelOf(entityType, entityName),
          symbol: entityName,
          name: entityName,
        }
      : {}),
  };
}
