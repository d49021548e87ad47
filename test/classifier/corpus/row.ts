import type { Activity } from '../../../lambdas/catalogue/schemas.ts';
import type { Draft } from '../../../lambdas/classifier/form.ts';
import type { Entity } from '../../../lambdas/events/schemas.ts';

/** A row of the log, and what must be read from it. */
export interface CorpusRow {
  readonly on: RowFrame;
  readonly text: string;
  /** The one form that reads it. */
  readonly form: string;
  readonly draft: Draft;
  /** Where it is not the one that the row names. */
  readonly entity?: Entity | null;
}

/** What a row says beside its text. */
export type RowFrame = Pick<Activity, 'item_type' | 'entity_type' | 'entity_name' | 'panel_name'>;

const PANEL = 'Hearing loss';

export function on(type: Entity['type'], name: string, panel = PANEL): RowFrame {
  return { item_type: 'entity', entity_type: type, entity_name: name, panel_name: panel };
}

export function onPanel(panel = PANEL): RowFrame {
  return { item_type: 'panel', entity_type: null, entity_name: null, panel_name: panel };
}

/** A row about an entity that does not say which. */
export const onUnnamed: RowFrame = {
  item_type: 'entity',
  entity_type: null,
  entity_name: null,
  panel_name: PANEL,
};

export const BRCA1 = on('gene', 'BRCA1');
export const MT = on('gene', 'MT-ND1');
export const HTT = on('str', 'HTT_CAG');
export const ISCA = on('region', 'ISCA-37390-Loss');
export const panel = onPanel();

export function activityOf({ on: frame, text }: Pick<CorpusRow, 'on' | 'text'>): Activity {
  return {
    created: '2023-11-17T15:57:41.863439Z',
    panel_name: frame.panel_name,
    panel_id: 7,
    panel_version: '2.1',
    user_name: 'Ada Lovelace',
    item_type: frame.item_type,
    text,
    entity_name: frame.entity_name,
    entity_type: frame.entity_type,
  };
}

/** The entity that the row itself names. */
export function entityOn({ entity_type, entity_name }: RowFrame): Entity | null {
  return entity_type && entity_name ? { type: entity_type as Entity['type'], name: entity_name } : null;
}
