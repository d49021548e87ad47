import { nameKey } from './name-key.ts';

/** The names that an entity had before and after it was renamed, or its symbol replaced. */
export interface EntityNames {
  /**
   * The names and the HGNC ids of an entity in the form of `nameKey`, the given one first; only the given one where no other is
   * known. An id is an answer by itself: it brings the symbols that its gene has or had, and not those of a gene that a curator
   * replaced by it.
   */
  entityKeys(name: string): readonly string[];
  /** The name that it has now, as the catalogue spells it; the given one where no renaming is known. */
  presentEntityName(name: string): string;
}

/** That an entity had one name, and from a time on another. */
export interface EntityRenaming {
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
}

interface LearningNames extends EntityNames {
  learnRenaming(renaming: EntityRenaming): void;
  learnIdentity(identity: GeneIdentity): void;
  /** A number that changes when something is learned. */
  revision(): number;
}

/** Learns which names follow each other. A symbol that was replaced on one panel has the same names on every panel. */
export function createEntityNames(): LearningNames {
  /** Each name's class: the names that renamings join. */
  const classes = new Map<string, Set<string>>();
  /** The last renaming away from a name, and the last to it. */
  const left = new Map<string, EntityRenaming>();
  const taken = new Map<string, EntityRenaming>();
  /** The ids of a symbol, and the symbols of an id. */
  const ids = new Map<string, Set<string>>();
  const symbols = new Map<string, Set<string>>();
  let revision = 0;

  const keep = (renamings: Map<string, EntityRenaming>, name: string, renaming: EntityRenaming): void => {
    const key = nameKey(name);
    const known = renamings.get(key);
    if (known && known.at >= renaming.at) return;
    renamings.set(key, renaming);
    revision++;
  };

  return {
    revision: () => revision,
    learnRenaming(renaming) {
      const { from, to } = renaming;
      const [one, other] = [nameKey(from), nameKey(to)];
      if (one === '' || other === '' || one === other) return;
      const joined = new Set([...(classes.get(one) ?? [one]), ...(classes.get(other) ?? [other])]);
      for (const key of joined) classes.set(key, joined);
      keep(left, from, renaming);
      keep(taken, to, renaming);
    },
    learnIdentity({ name, hgncId }) {
      const [symbol, id] = [nameKey(name), nameKey(hgncId)];
      if (symbol === '' || !isHgncId(id) || ids.get(symbol)?.has(id)) return;
      ids.set(symbol, (ids.get(symbol) ?? new Set()).add(id));
      symbols.set(id, (symbols.get(id) ?? new Set()).add(symbol));
      revision++;
    },
    entityKeys(name) {
      const key = nameKey(name);
      if (isHgncId(key)) return [...new Set([key, ...(symbols.get(key) ?? [])])];
      const own = [...(ids.get(key) ?? [])];
      return [
        ...new Set([
          key,
          ...(classes.get(key) ?? []),
          ...own,
          ...own.flatMap((id) => [...(symbols.get(id) ?? [])]),
        ]),
      ];
    },
    presentEntityName(name) {
      let present = name;
      const seen = new Set<string>();
      for (let key = nameKey(name); !seen.has(key); key = nameKey(present)) {
        seen.add(key);
        const next = left.get(key);
        // Renamed and renamed back: the later renaming counts.
        if (!next || (taken.get(key)?.at ?? '') > next.at) return present;
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
