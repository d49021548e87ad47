import { nameKey } from './name-key.ts';

/** The names that an entity had before and after it was renamed, or its symbol replaced. */
export interface EntityNames {
  /** The names of an entity in the form of `nameKey`, the given one first; only the given one where no other is known. */
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

interface LearningNames extends EntityNames {
  learnRenaming(renaming: EntityRenaming): void;
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
    entityKeys(name) {
      const key = nameKey(name);
      return [...new Set([key, ...(classes.get(key) ?? [])])];
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
