import { nameKey } from './name-key.ts';

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
export interface EntityRenaming {
  readonly catalogue: string;
  readonly panelId: number;
  readonly from: string;
  readonly to: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
}

/** That a gene has a symbol. */
export interface GeneIdentity {
  readonly name: string;
  /** `HGNC:1100` */
  readonly hgncId: string;
  /** The catalogue that states it; absent where it may be any. */
  readonly catalogue?: string;
}

interface LearningNames extends EntityNames {
  learnRenaming(renaming: EntityRenaming): void;
  learnIdentity(identity: GeneIdentity): void;
  /** A number that changes when something is learned. */
  revision(): number;
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
export function createEntityNames(): LearningNames {
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
    learnRenaming(renaming) {
      const { from, to } = renaming;
      const [one, other] = [nameKey(from), nameKey(to)];
      if (one === '' || other === '' || one === other) return;
      join(renaming, one, other);
      keep(left, from, renaming);
      keep(taken, to, renaming);
    },
    learnIdentity({ name, hgncId, catalogue }) {
      const [symbol, id] = [nameKey(name), nameKey(hgncId)];
      if (symbol === '' || !isHgncId(id)) return;
      if (catalogue !== undefined) stated.set(catalogue, (stated.get(catalogue) ?? new Set()).add(symbol));
      if (ids.get(symbol)?.has(id)) return;
      ids.set(symbol, (ids.get(symbol) ?? new Set()).add(id));
      symbols.set(id, (symbols.get(id) ?? new Set()).add(symbol));
      revision++;
    },
    entityKeys,
    hgncIdIn(catalogue, symbol) {
      const key = nameKey(symbol);
      const [id, ...others] = ids.get(key) ?? [];
      if (id === undefined || others.length > 0 || !stated.get(catalogue)?.has(key)) return null;
      return id.toUpperCase();
    },
    entityKeysOnPanels(name) {
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
    presentEntityName(name) {
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
