/** What a catalogue serves beyond its lists: each panel with its entities, its versions, and what is signed off. */
export interface PanelDetails {
  /** The number of the panel with this number or `hash_id`; null where there never was one. */
  panelId(key: string): number | null;
  /** The panel with its entities; undefined where it is not public. */
  present(id: number): object | undefined;
  /** What the panel held at the end of a version, also of a panel that is hidden or deleted; undefined where none is kept. */
  version(id: number, version: string): object | undefined;
  /** The names of those who reviewed an entity of a public panel; undefined where the panel does not hold it. */
  reviewers(id: number, type: EntityList, name: string): readonly string[] | undefined;
  /** One entry for each sign-off of a public panel, oldest first within a panel. */
  signOffs(): readonly SignedOffVersion[];
}

/** The part of a panel's address under which the entities of a type are. */
export type EntityList = 'genes' | 'strs' | 'regions';

/** A version that was signed off. */
export interface SignedOffVersion {
  readonly panelId: number;
  /** The day that the form stated. */
  readonly day: string;
  /** The panel at that version, with its entities. */
  readonly panel: object;
}

/** The detail of a panel without its entities. */
export function withoutEntities(panel: object): object {
  const { genes: _genes, strs: _strs, regions: _regions, ...rest } = panel as Record<string, unknown>;
  return rest;
}
