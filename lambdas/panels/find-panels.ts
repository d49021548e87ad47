import { rCodesIn } from '../events/r-codes.ts';
import { nameKey } from '../filters/name-key.ts';
import type { Names } from '../filters/names.ts';
import { namesLike, offerOf } from '../filters/nearest.ts';
import type { VersionSummary } from './version-state.ts';

/** A panel that a question is about. */
export interface FoundPanel {
  readonly id: number;
  readonly name: string;
}

/** No panel, or more than one, was found. */
export interface NotFound {
  /** Says why: a sentence that quotes what was asked for. */
  readonly notFound: () => string;
}

/** A panel as a listing or a kept state shows it. */
export type ListedPanel = Pick<VersionSummary, 'panelId' | 'panelName' | 'hashId' | 'relevantDisorders'>;

/** What panels are asked for: one by number, `hash_id`, present or former name; or those of a code of the test directory. */
export type AskedPanels = { readonly panel: string } | { readonly rCode: string };

interface Known {
  readonly catalogue: string;
  readonly panels: readonly ListedPanel[];
  readonly names: Names;
}

/** The panels that somebody names; or why there is none, or the name is that of several. */
export const findPanels = (asked: AskedPanels, known: Known): readonly FoundPanel[] | NotFound =>
  panelFinder(known)(asked);

/** A lookup as `findPanels`, for many questions. */
export function panelFinder(known: Known): (asked: AskedPanels) => readonly FoundPanel[] | NotFound {
  const [byName, byCode] = [new Map<string, FoundPanel[]>(), new Map<string, FoundPanel[]>()];
  const add = (index: typeof byName, key: string, panel: FoundPanel): void => {
    const there = index.get(key) ?? [];
    // A panel may be both kept and listed.
    if (!there.some(({ id }) => id === panel.id)) index.set(key, [...there, panel]);
  };
  for (const { panelId: id, panelName: name, hashId, relevantDisorders } of known.panels) {
    const keys = [String(id), ...(hashId === null ? [] : [nameKey(hashId)]), nameKey(name)];
    for (const key of new Set(keys)) add(byName, key, { id, name });
    for (const code of new Set(rCodesIn(relevantDisorders))) add(byCode, code, { id, name });
  }
  return (asked) =>
    'panel' in asked ? called(asked.panel, { byName, byCode }, known) : withCode(asked.rCode, byCode, known);
}

type Index = ReadonlyMap<string, readonly FoundPanel[]>;

function withCode(code: string, byCode: Index, { catalogue }: Known): readonly FoundPanel[] | NotFound {
  const found = byCode.get(code.toUpperCase());
  if (found) return found;
  return {
    notFound: () =>
      `no panel of ${catalogue} has the code ${JSON.stringify(code)}.${offerOf(namesLike(code, [...byCode.keys()]))}`,
  };
}

function called(
  name: string,
  { byName, byCode }: Readonly<Record<'byName' | 'byCode', Index>>,
  { panels, names, catalogue }: Known,
): readonly FoundPanel[] | NotFound {
  const former = () =>
    names
      .panelsCalled(name)
      .filter((panel) => panel.catalogue === catalogue)
      .map(({ id, name: present }) => ({ id, name: present }));
  const found = byName.get(nameKey(name)) ?? former();
  if (found.length === 1) return found;
  if (found.length > 1) {
    const all = found.map((one) => `${one.id} (${one.name})`).join(', ');
    return {
      notFound: () => `several panels are or were called ${JSON.stringify(name)}: ${all}. Give the number.`,
    };
  }
  return {
    notFound: () =>
      `no panel of ${catalogue} is called ${JSON.stringify(name)}.${
        withThisCode(byCode.get(name.toUpperCase())) ??
        offerOf(
          namesLike(
            name,
            panels.map(({ panelName }) => panelName),
          ),
        )
      }`,
  };
}

const withThisCode = (panels: readonly FoundPanel[] | undefined): string | undefined =>
  panels && ` It is the code of ${panels.map(({ id, name }) => `${id} (${name})`).join(', ')}.`;
