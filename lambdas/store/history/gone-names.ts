import { rCodesIn } from '../../events/r-codes.ts';
import type { Filter } from '../../filters/filter.ts';
import { panelKey } from '../../filters/names.ts';
import type { HeldNames } from './held-names.ts';
import { type NamedPlace, namesIn, type UnknownName } from './unknown-names.ts';

/**
 * The names of a filter that existed and exist no more: panels and codes that are in no listing of panels now, and genes, STRs
 * and regions that are on no panel. Where no listing was read, no panel and no code is gone.
 * @throws {HistoryError | StateError} when the history, a listing or a state cannot be read
 */
export async function goneNames(
  place: NamedPlace,
  { panels = [], rCodes = [], genes = [] }: Filter,
): Promise<readonly UnknownName[]> {
  return [...(await gonePanels(place, { panels, rCodes })), ...(await goneEntities(place, genes))];
}

const gone = (key: UnknownName['key'], value: string, statement: string): UnknownName => ({
  key,
  value,
  statement,
  sentence: statement,
});

async function gonePanels(
  place: NamedPlace,
  { panels, rCodes }: Required<Pick<Filter, 'panels' | 'rCodes'>>,
): Promise<readonly UnknownName[]> {
  const listings = await place.listings();
  if (listings.length === 0) return [];
  const names = await namesIn(place);
  const byCatalogue = new Map(listings.map(({ catalogue, listing }) => [catalogue, listing.panels]));
  const found: UnknownName[] = [];
  for (const panel of panels) {
    const value = String(panel);
    const called = /^\d+$/.test(value)
      ? names.panels().filter(({ id }) => id === Number(value))
      : names.panelsCalled(value);
    const listed = called.some(({ catalogue, id }) => byCatalogue.get(catalogue)?.has(id) ?? true);
    if (called.length > 0 && !listed) {
      found.push(gone('panels', value, `The panel “${value}” is no longer in the list of panels.`));
    }
  }
  const codes = new Set(
    listings.flatMap(({ listing }) =>
      [...listing.panels.values()].flatMap(({ facts }) => rCodesIn(facts.relevantDisorders)),
    ),
  );
  for (const value of rCodes) {
    if (!codes.has(value.toUpperCase()))
      found.push(gone('rCodes', value, `No panel in the list of panels has the code ${value} now.`));
  }
  return found;
}

/** A longer list is not looked up gene by gene. */
const MOST_LOOKED_UP = 500;
/** More events of a gene are not read: one that was not removed shows that the gene exists. */
const MOST_EVENTS = 500;

async function goneEntities(place: NamedPlace, genes: readonly string[]): Promise<readonly UnknownName[]> {
  if (genes.length === 0 || genes.length > MOST_LOOKED_UP) return [];
  const names = await place.history.names();
  let held: HeldNames | undefined;
  const found: UnknownName[] = [];
  for (const value of genes) {
    const keys = [
      ...names.entityKeys(value),
      ...names.entityKeysOnPanels(value).flatMap((onPanel) => onPanel.keys),
    ];
    const removal = await lastRemoval(place, value);
    if (!removal) continue;
    held ??= await place.held?.();
    if (keys.some((key) => held?.keys.has(key))) continue;
    const { panel, day } = removal;
    const removed = `“${value}” was removed from “${panel}” on ${day}`;
    const rest = held?.isWhole
      ? 'and is on no panel now.'
      : 'and no later change of it was read. It may be on panels of which no change was read.';
    found.push(gone('genes', value, `${removed}, ${rest}`));
  }
  return found;
}

/** The last removal of an entity, where it was removed last from every panel with an event of it; null else. */
async function lastRemoval(
  { history }: NamedPlace,
  gene: string,
): Promise<{ readonly panel: string; readonly day: string } | null> {
  const query = { filter: { genes: [gene] }, order: 'newest', limit: MOST_EVENTS } as const;
  const panels = new Set<string>();
  let last: { readonly panel: string; readonly day: string } | null = null;
  for await (const { type, time = '', data } of history.findWithoutRows(query)) {
    const panel = panelKey(data.catalogue, data.panel?.id ?? 0);
    if (panels.has(panel)) continue;
    if (type !== 'gene-panel.entity.removed.v1') return null;
    panels.add(panel);
    last ??= { panel: data.panel?.name ?? '', day: longDay(new Date(time)) };
  }
  return last;
}

/** `21 November 2026`. */
const longDay = (time: Date): string =>
  time.toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
