import type { PanelEvent } from '../events/schemas.ts';
import { onOneLine } from '../run/text.ts';

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
    ...entities,
    get revision() {
      return revision + entities.revision();
    },
    learnPanel,
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

/** The names that an entity had before and after it was renamed, or its symbol replaced. */
export interface EntityNames {
  /**
   * The names and the HGNC ids of an entity in the form of `nameKey`, the given one first; only the given one where no other is
   * known. They hold on every panel: symbols follow each other where they share an HGNC id.
   */
  entityKeys(name: string): readonly string[];
  /**
   * The names and the HGNC ids that an entity has or had on single panels, besides those of `entityKeys`: a curator replaced one
   * by the other there. They are the same for each of them, so that a symbol and its id find the same.
   */
  entityKeysOnPanels(name: string): readonly NamesOnPanel[];
  /**
   * The HGNC id of a gene on the panels of a catalogue, such as `HGNC:1100`; null unless that catalogue states one for this symbol
   * and no other id is known for it.
   */
  hgncIdIn(catalogue: string, symbol: string): string | null;
  /** The name that it has now, as the catalogue spells it; the given one where no renaming is known that holds on every panel. */
  presentEntityName(name: string): string;
}

/** Names of an entity that hold on one panel alone, in the form of `nameKey`. */
interface NamesOnPanel {
  readonly catalogue: string;
  readonly panelId: number;
  readonly keys: readonly string[];
  /** The names among them as the catalogue spells them. */
  readonly spelled: readonly string[];
}

/** That an entity of a panel had one name, and from a time on another. */
interface EntityRenaming {
  readonly catalogue: string;
  readonly panelId: number;
  readonly from: string;
  readonly to: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
}

/** That a gene has a symbol. */
interface GeneIdentity {
  readonly name: string;
  /** `HGNC:1100` */
  readonly hgncId: string;
  /** The catalogue that states it; absent where it may be any. */
  readonly catalogue?: string;
}

/** The names that renamings on one panel join, by each of them. */
interface RenamedOnPanel extends Pick<NamesOnPanel, 'catalogue' | 'panelId'> {
  readonly classes: Map<string, Set<string>>;
  /** The spelling of each joined name. */
  readonly spellings: Map<string, string>;
}

/**
 * Learns which names follow each other. A curator who replaces a symbol does so on one panel: elsewhere it is another gene,
 * unless both symbols have the same HGNC id.
 */
function createEntityNames() {
  const panels = new Map<string, RenamedOnPanel>();
  /** The panels on which a name is joined with another one. */
  const panelsOf = new Map<string, Set<RenamedOnPanel>>();
  /** The last renaming away from a name, and the last to it. */
  const left = new Map<string, EntityRenaming>();
  const taken = new Map<string, EntityRenaming>();
  /** The ids of a symbol, and the symbols of an id. */
  const ids = new Map<string, Set<string>>();
  const symbols = new Map<string, Set<string>>();
  /** The symbols for which a catalogue states an id. */
  const stated = new Map<string, Set<string>>();
  let revision = 0;

  const keep = (renamings: Map<string, EntityRenaming>, name: string, renaming: EntityRenaming): void => {
    const key = nameKey(name);
    const known = renamings.get(key);
    if (known && known.at >= renaming.at) return;
    renamings.set(key, renaming);
    revision++;
  };

  const join = (renaming: EntityRenaming, one: string, other: string): void => {
    const { catalogue, panelId, from, to } = renaming;
    const place = `${catalogue} ${panelId}`;
    const panel = panels.get(place) ?? { catalogue, panelId, classes: new Map(), spellings: new Map() };
    panels.set(place, panel);
    const { classes, spellings } = panel;
    spellings.set(one, from).set(other, to);
    if (classes.has(one) && classes.get(one) === classes.get(other)) return;
    const joined = new Set([...(classes.get(one) ?? [one]), ...(classes.get(other) ?? [other])]);
    for (const key of joined) {
      classes.set(key, joined);
      panelsOf.set(key, (panelsOf.get(key) ?? new Set()).add(panel));
    }
    revision++;
  };

  const shareId = (one: string, other: string): boolean =>
    [...(ids.get(one) ?? [])].some((id) => ids.get(other)?.has(id));

  const entityKeys: EntityNames['entityKeys'] = (name) => {
    const key = nameKey(name);
    if (isHgncId(key)) return [...new Set([key, ...(symbols.get(key) ?? [])])];
    const own = [...(ids.get(key) ?? [])];
    return [...new Set([key, ...own, ...own.flatMap((id) => [...(symbols.get(id) ?? [])])])];
  };

  return {
    revision: () => revision,
    learnRenaming(renaming: EntityRenaming): void {
      const { from, to } = renaming;
      const [one, other] = [nameKey(from), nameKey(to)];
      if (one === '' || other === '' || one === other) return;
      join(renaming, one, other);
      keep(left, from, renaming);
      keep(taken, to, renaming);
    },
    learnIdentity({ name, hgncId, catalogue }: GeneIdentity): void {
      const [symbol, id] = [nameKey(name), nameKey(hgncId)];
      if (symbol === '' || !isHgncId(id)) return;
      if (catalogue !== undefined) stated.set(catalogue, (stated.get(catalogue) ?? new Set()).add(symbol));
      if (ids.get(symbol)?.has(id)) return;
      ids.set(symbol, (ids.get(symbol) ?? new Set()).add(id));
      symbols.set(id, (symbols.get(id) ?? new Set()).add(symbol));
      revision++;
    },
    entityKeys,
    hgncIdIn(catalogue: string, symbol: string): string | null {
      const key = nameKey(symbol);
      const [id, ...others] = ids.get(key) ?? [];
      if (id === undefined || others.length > 0 || !stated.get(catalogue)?.has(key)) return null;
      return id.toUpperCase();
    },
    entityKeysOnPanels(name: string): readonly NamesOnPanel[] {
      const everywhere = entityKeys(name);
      const renamedOn = new Set(everywhere.flatMap((key) => [...(panelsOf.get(key) ?? [])]));
      return [...renamedOn].flatMap(({ catalogue, panelId, classes, spellings }) => {
        const there = new Set(everywhere);
        // A set also visits what is added while it is walked: the other symbols of each name that was replaced there.
        for (const key of there) {
          for (const joined of classes.get(key) ?? []) there.add(joined);
          for (const same of entityKeys(key)) there.add(same);
        }
        const keys = [...there].slice(everywhere.length);
        const spelled = keys.flatMap((key) => spellings.get(key) ?? []);
        return keys.length > 0 ? [{ catalogue, panelId, keys, spelled }] : [];
      });
    },
    presentEntityName(name: string): string {
      let present = name;
      const seen = new Set<string>();
      for (let key = nameKey(name); !seen.has(key); key = nameKey(present)) {
        seen.add(key);
        const next = left.get(key);
        // Renamed and renamed back: the later renaming counts.
        if (!next || (taken.get(key)?.at ?? '') > next.at || !shareId(key, nameKey(next.to))) return present;
        present = next.to;
      }
      return present;
    },
  };
}

/** Whether a name is the id of a gene: `HGNC:1100`, in any letter case. */
export function isHgncId(name: string): boolean {
  return /^hgnc:\d+$/i.test(name);
}

/** Names that need no cleaning: nearly all. */
const ordinary = /^[!-~]+(?: [!-~]+)*$/;

/** The form in which two names are compared: lower case, white space and control characters as one space. */
export function nameKey(name: string): string {
  const clean = ordinary.test(name) ? name : onOneLine(name).trim();
  return clean.toLowerCase();
}
