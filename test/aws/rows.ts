import type { Activity } from '../../lambdas/catalogue/schemas.ts';

/** Rows of the log as the catalogue's software writes them, and the events that they are known to be. */

const row = (created: string, text: string, more: Partial<Activity> = {}): Activity => ({
  created,
  panel_name: 'Hereditary ataxia',
  panel_id: 55,
  panel_version: '4.2',
  user_name: 'Zoë Ångström-Müller',
  item_type: 'entity',
  text,
  entity_name: 'NPHS1',
  entity_type: 'gene',
  ...more,
});

export const classified = (
  created: string,
  gene: string,
  list: 'Green List (high evidence)' | 'Red List (low evidence)',
) => row(created, `Classified gene: ${gene} as ${list}`, { entity_name: gene });

export const promoted = (created: string, version: number) =>
  row(created, `promoted panel to version ${version}.0`, {
    item_type: 'panel',
    entity_name: null,
    entity_type: null,
    panel_version: `${version}.0`,
  });

export const tagged = (created: string, gene: string, tag: string) =>
  row(created, `Tag ${tag} tag was added to gene: ${gene}.`, { entity_name: gene });

export const unrecognisedText = (created: string) =>
  row(created, 'the panel was seen dancing in the moonlight');
