import { type Filter, normalized } from '../../filters/filter.ts';
import type { Names } from '../../filters/names.ts';

/** More sentences about genes are not written: a filter may have thousands. */
const MOST_SENTENCES = 3;

/**
 * Sentences about what the names of a filter find besides what a reader expects: the changes of every panel that has or had a
 * name, and on a panel where a curator replaced one symbol by another, the changes under both.
 */
export function namesFoundToo(filter: Filter, names: Names): readonly string[] {
  return [...sharedNames(filter, names), ...replacedNames(filter, names)];
}

function sharedNames({ panels = [] }: Filter, names: Names): readonly string[] {
  return panels.flatMap((panel) => {
    const called = typeof panel === 'string' ? names.panelsCalled(panel) : [];
    const byCatalogue = [...Map.groupBy(called, ({ catalogue }) => catalogue).values()];
    return byCatalogue
      .filter((several) => several.length > 1)
      .map((several) => {
        const each = several.map(({ id, name }) => `${id} (now “${name}”)`).join(' and ');
        return `“${panel}” is or was the name of the panels ${each}: their changes are all here. Give an id for one of them.`;
      });
  });
}

function replacedNames(filter: Filter, names: Names): readonly string[] {
  const { panelIds, namedPanels = [] } = normalized(filter, names);
  const asked = panelIds && new Set([...panelIds, ...namedPanels.map(({ id }) => id)]);
  const sentences = (filter.genes ?? []).flatMap((gene) =>
    names
      .entityKeysOnPanels(gene)
      .filter(({ panelId }) => asked?.has(panelId) ?? true)
      .map(({ catalogue, panelId, spelled }) => {
        const panel = names.panel(catalogue, panelId)?.name ?? `panel ${panelId}`;
        const others = spelled.map((name) => `“${name}”`).join(' and ');
        return `On ${panel}, ${gene} also finds the changes of ${others}: a curator replaced one name by the other there.`;
      }),
  );
  const more = sentences.length - MOST_SENTENCES;
  if (more <= 1) return sentences;
  return [
    ...sentences.slice(0, MOST_SENTENCES),
    `The same holds for ${more} more names of the filter on their panels.`,
  ];
}
