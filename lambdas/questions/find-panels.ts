import { rCodesIn } from '../events/r-codes.ts';
import { type Names, nameKey, panelKey } from '../filters/names.ts';
import { namesLike, offerOf } from '../filters/nearest.ts';
import { type NamedPlace, namesIn } from '../store/history/unknown-names.ts';
import { type Limit, type Place, unknownNameLimit } from './question.ts';

interface FoundPanels {
  /** Their names by id, of each catalogue; every panel of it where absent. */
  readonly asked: ReadonlyMap<string, ReadonlyMap<number, string>> | null;
  /** Names that no panel has. */
  readonly limits: readonly Limit[];
}

/** Where panels are known from. */
interface PanelPlace extends Pick<Place, 'catalogues' | 'states'>, Pick<NamedPlace, 'listings'> {
  readonly archive?: Pick<NonNullable<Place['archive']>, 'panels'> | null;
}

interface KnownPanel {
  readonly catalogue: string;
  readonly id: number;
  readonly name: string;
  /** What it is called now: id, id in the catalogue's own form, present name. */
  readonly keys: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
}

/**
 * Finds panels by number, older id (`hash_id`), present or former name and R code, in what was published, listed and kept. A
 * present name goes before a former one; a name that several panels have is that of each.
 * @throws {HistoryError | StateError} when names cannot be read
 */
export async function findPanels(
  { panel, 'r-code': rCodes }: { readonly panel: readonly string[]; readonly 'r-code': readonly string[] },
  place: PanelPlace & Parameters<typeof namesIn>[0],
): Promise<FoundPanels> {
  if (panel.length + rCodes.length === 0) return { asked: null, limits: [] };
  const names = await namesIn(place);
  const { known, called, withCode } = await openPanels(place, names);
  const asked = new Map(place.catalogues.map((catalogue) => [catalogue, new Map<number, string>()]));
  const limits: Limit[] = [];
  const take = (found: readonly Pick<KnownPanel, 'catalogue' | 'id' | 'name'>[]): boolean => {
    for (const { catalogue, id, name } of found) asked.get(catalogue)?.set(id, name);
    return found.length > 0;
  };
  const add = (option: string, value: string, statement: string, offered: readonly string[]): void => {
    const sentence = `${statement}${offerOf(offered)}`;
    limits.push(unknownNameLimit({ option, value, statement, sentence }));
  };
  for (const value of panel) {
    if (take(called(value))) continue;
    const [code] = withCode(value);
    const statement = /^\d+$/.test(value)
      ? `No panel has the id ${value}.`
      : `No panel is called “${value}”.${code ? ` It is an R code, of “${code.name}” for example.` : ''}`;
    add(
      'panel',
      value,
      statement,
      namesLike(
        value,
        known.map(({ name }) => name),
      ),
    );
  }
  for (const value of rCodes) {
    if (take(withCode(value))) continue;
    const all = [...new Set(known.flatMap(({ codes }) => [...codes]))];
    add('r-code', value, `No panel has the code ${value}.`, namesLike(value, all));
  }
  return { asked, limits };
}

/**
 * Opens the panels of some catalogues, to find them by what somebody calls them.
 * @param names those of the history
 */
export async function openPanels(place: PanelPlace, names: Names) {
  const known = await knownPanels(place, names);
  return {
    known,
    /** Those of a number, older id or present name; else those of a former name. */
    called(value: string): readonly Pick<KnownPanel, 'catalogue' | 'id' | 'name'>[] {
      const found = known.filter(({ keys }) => keys.has(nameKey(value)));
      if (found.length > 0) return found;
      return names.panelsCalled(value).filter(({ catalogue }) => place.catalogues.includes(catalogue));
    },
    withCode: (code: string) => known.filter(({ codes }) => codes.has(code.toUpperCase())),
  };
}

async function knownPanels(place: PanelPlace, names: Names): Promise<readonly KnownPanel[]> {
  const known = new Map<string, KnownPanel>();
  const learn = (
    { catalogue, id, name }: Pick<KnownPanel, 'catalogue' | 'id' | 'name'>,
    hashId: string | null = null,
    disorders: readonly string[] = [],
  ): void => {
    const before = known.get(panelKey(catalogue, id));
    // Events and listings know the present name; a state may be older.
    const present = before?.name ?? name;
    const keys = [String(id), nameKey(present), ...(hashId === null ? [] : [nameKey(hashId)])];
    known.set(panelKey(catalogue, id), {
      ...{ catalogue, id, name: present },
      keys: new Set([...(before?.keys ?? []), ...keys]),
      codes: new Set([...(before?.codes ?? []), ...rCodesIn(disorders)]),
    });
  };
  for (const panel of names.panels()) if (place.catalogues.includes(panel.catalogue)) learn(panel);
  const listings = await place.listings();
  for (const catalogue of place.catalogues) {
    for (const [id, { name, hashId, facts }] of listings.find((each) => each.catalogue === catalogue)?.listing
      .panels ?? [])
      learn({ catalogue, id, name: name ?? String(id) }, hashId, facts.relevantDisorders);
    for (const { panelId, panelName, hashId, relevantDisorders } of await place.states(catalogue).panels())
      learn({ catalogue, id: panelId, name: panelName }, hashId, relevantDisorders);
  }
  const [catalogue] = place.catalogues;
  if (catalogue !== undefined)
    for (const { id, name, hash_id, relevant_disorders } of (await place.archive?.panels()) ?? [])
      learn({ catalogue, id, name }, hash_id, relevant_disorders);
  return [...known.values()];
}
