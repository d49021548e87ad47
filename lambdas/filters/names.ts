import type { PanelEvent } from '../events/schemas.ts';
import {
  createEntityNames,
  type EntityNames,
  type EntityRenaming,
  type GeneIdentity,
} from './entity-names.ts';
import { nameKey } from './name-key.ts';

/** A panel, and every name it is known to have had. */
export interface NamedPanel {
  readonly catalogue: string;
  readonly id: number;
  /** Its present name, as far as it is known. */
  readonly name: string;
  /** Its other names, oldest first. */
  readonly formerly: readonly string[];
}

/**
 * The names that panels and entities have and had. A name that several panels had belongs to each of them: an answer
 * with too much is put right by reading it, and one with too little is not.
 */
export interface Names extends EntityNames {
  /** A number that changes when something is learned. */
  readonly revision: number;
  panels(): readonly NamedPanel[];
  panel(catalogue: string, id: number): NamedPanel | undefined;
  /** The panels that have or had a name, or whose id in the catalogue's own form (`hash_id`) it is. */
  panelsCalled(name: string): readonly NamedPanel[];
}

/** What a listing or an event says of a panel's name. */
interface PanelNaming extends Pick<NamedPanel, 'catalogue' | 'id' | 'name'> {
  /** When the panel had the name, ISO 8601 in UTC. */
  readonly at: string;
  readonly hashId?: string | null;
}

/** Names that learn. */
export interface NameBook extends Names {
  learnPanel(naming: PanelNaming): void;
  learnRenaming(renaming: EntityRenaming): void;
  /** Learns the symbol of a gene by its HGNC id. Aliases are no symbols. */
  learnIdentity(identity: GeneIdentity): void;
  /** Learns the name of the event's panel, and what the event renames. */
  learnEvent(event: PanelEvent): void;
}

interface KnownPanel {
  readonly catalogue: string;
  readonly id: number;
  /** By key: the spelling, and the last time at which the panel had the name. */
  readonly names: Map<string, { name: string; at: string }>;
}

/** Creates an empty book of names. */
export function createNameBook(): NameBook {
  const byPanel = new Map<string, KnownPanel>();
  const byName = new Map<string, Set<KnownPanel>>();
  const entities = createEntityNames();
  let revision = 0;

  const refer = (key: string, panel: KnownPanel): void => {
    const panels = byName.get(key) ?? new Set();
    if (panels.has(panel)) return;
    byName.set(key, panels.add(panel));
    revision++;
  };

  const learnPanel = ({ catalogue, id, name, at, hashId }: PanelNaming): void => {
    const key = nameKey(name);
    if (key === '') return;
    const panel = byPanel.get(panelKey(catalogue, id)) ?? { catalogue, id, names: new Map() };
    byPanel.set(panelKey(catalogue, id), panel);
    const known = panel.names.get(key);
    if (known === undefined) panel.names.set(key, { name, at });
    else if (known.at <= at) {
      if (known.name !== name) revision++;
      Object.assign(known, { name, at });
    }
    refer(key, panel);
    if (hashId) refer(nameKey(hashId), panel);
  };

  return {
    get revision() {
      return revision + entities.revision();
    },
    learnPanel,
    learnRenaming: entities.learnRenaming,
    learnIdentity: entities.learnIdentity,
    learnEvent(event) {
      const { namings, renamings, identities } = namingsOf(event);
      for (const naming of namings) learnPanel(naming);
      for (const identity of identities) entities.learnIdentity(identity);
      for (const renaming of renamings) entities.learnRenaming(renaming);
    },
    panels: () => [...byPanel.values()].map(namedPanel),
    panel(catalogue, id) {
      const known = byPanel.get(panelKey(catalogue, id));
      return known && namedPanel(known);
    },
    panelsCalled: (name) => [...(byName.get(nameKey(name)) ?? [])].map(namedPanel),
    entityKeys: entities.entityKeys,
    entityKeysOnPanels: entities.entityKeysOnPanels,
    hgncIdIn: entities.hgncIdIn,
    presentEntityName: entities.presentEntityName,
  };
}

interface Namings {
  readonly namings: readonly PanelNaming[];
  readonly renamings: readonly EntityRenaming[];
  readonly identities: readonly GeneIdentity[];
}

/** The names that an event gives: of its panel, of what it renames, and of the gene whose id it states. */
export function namingsOf(event: PanelEvent): Namings {
  const { catalogue, panel } = event.data;
  const at = event.time ?? '';
  const namings: PanelNaming[] = [];
  if (typeof panel?.id === 'number') {
    const { id } = panel;
    if (event.type === 'gene-panel.panel.changed.v1') {
      for (const { field, from, to } of event.data.change.changes) {
        if (field !== 'name') continue;
        // The old name ended just before: this time without its last letter is earlier.
        if (typeof from === 'string') namings.push({ catalogue, id, name: from, at: at.slice(0, -1) });
        if (typeof to === 'string') namings.push({ catalogue, id, name: to, at });
      }
    }
    namings.push({ catalogue, id, name: panel.name, at });
  }
  const { entity } = event.data;
  const hgncId = entity?.type === 'gene' ? entity.hgncId : undefined;
  const identities = entity && hgncId !== undefined ? [{ name: entity.name, hgncId, catalogue }] : [];
  const renamings: EntityRenaming[] = [];
  if (event.type === 'gene-panel.entity.renamed.v1' && typeof panel?.id === 'number') {
    const { from, to, via } = event.data.change;
    if (from !== '' && to !== '') renamings.push({ catalogue, panelId: panel.id, from, to, at });
    // States show a renaming where the HGNC id stayed the same.
    if (via === 'snapshot' && from !== '' && hgncId !== undefined)
      identities.push({ name: from, hgncId, catalogue });
  }
  return { namings, renamings, identities };
}

/** Names of which nothing is known. */
export const noNames: Names = createNameBook();

/** The key of a panel among those of all catalogues. */
export const panelKey = (catalogue: string, id: number): string => `${catalogue} ${id}`;

function namedPanel({ catalogue, id, names }: KnownPanel): NamedPanel {
  const ordered = [...names.values()].sort((one, other) => (one.at < other.at ? -1 : 1));
  return {
    catalogue,
    id,
    name: ordered.at(-1)?.name ?? '',
    formerly: ordered.slice(0, -1).map(({ name }) => name),
  };
}

/** The panels that a person names: by number, by the id in the catalogue's own form, or by a name that they have or had. */
export const panelsNamed = (
  names: Pick<Names, 'panels' | 'panelsCalled'>,
  text: string,
): readonly NamedPanel[] =>
  /^\d+$/.test(text) ? names.panels().filter(({ id }) => id === Number(text)) : names.panelsCalled(text);
