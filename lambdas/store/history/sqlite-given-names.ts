import type { PanelEvent } from '../../events/schemas.ts';
import type { StateFile } from '../sqlite-file.ts';

interface GivenNames {
  /** @param at when the event happened, in microseconds since 1970 */
  note(event: PanelEvent, at: number): void;
  /** Writes what was noted, within a transaction. */
  write(file: Pick<StateFile, 'database'>): void;
}

/** The names that the events of one append give to panels and genes, each once: few of them are new. */
export function createGivenNames(): GivenNames {
  const panels = new Map<string, readonly [catalogue: string, panel: number, name: string, at: number]>();
  const genes = new Map<string, readonly [symbol: string, hgncId: string]>();
  return {
    note(event, at) {
      const { catalogue, panel, entity } = event.data;
      if (typeof panel?.id === 'number') {
        const key = `${panel.id} ${catalogue}\n${panel.name}`;
        const [, , , before = at] = panels.get(key) ?? [];
        panels.set(key, [catalogue, panel.id, panel.name, Math.max(at, before)]);
      }
      // The entity of a renaming has one of two names.
      const renames = event.type === 'gene-panel.entity.renamed.v1';
      if (entity?.type === 'gene' && entity.hgncId !== undefined && !renames)
        genes.set(`${entity.hgncId} ${entity.name}`, [entity.name, entity.hgncId]);
    },
    write({ database }) {
      const addPanel = database.prepare(
        'INSERT INTO panel_name (catalogue, panel, name, at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
      );
      for (const values of panels.values()) addPanel.run(...values);
      const addGene = database.prepare(
        'INSERT INTO gene_symbol (symbol, hgnc_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
      );
      for (const values of genes.values()) addGene.run(...values);
    },
  };
}
