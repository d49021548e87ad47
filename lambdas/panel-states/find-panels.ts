import { rCodesIn } from '../events/r-codes.ts';
import { nameKey } from '../names/name-key.ts';
import type { Names } from '../names/names.ts';
import { nearest } from '../subscriptions/nearest.ts';
import type { VersionSummary } from './version-state.ts';

/** A panel that a question is about. */
export interface FoundPanel {
  readonly id: number;
  readonly name: string;
}

/** Why no panel, or more than one, was found: a sentence that quotes what was asked for. */
export interface NotFound {
  readonly notFound: string;
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
export function findPanels(asked: AskedPanels, known: Known): readonly FoundPanel[] | NotFound {
  return 'panel' in asked ? called(asked.panel, known) : withCode(asked.rCode, known);
}

function withCode(code: string, { panels, catalogue }: Known): readonly FoundPanel[] | NotFound {
  const found = panels.filter(({ relevantDisorders }) =>
    rCodesIn(relevantDisorders).includes(code.toUpperCase()),
  );
  if (found.length > 0) return found.map(foundPanel);
  const near = nearest(
    code.toUpperCase(),
    panels.flatMap(({ relevantDisorders }) => rCodesIn(relevantDisorders)),
  );
  return { notFound: `no panel of ${catalogue} has the code ${JSON.stringify(code)}.${hint(near)}` };
}

function called(name: string, { panels, names, catalogue }: Known): readonly FoundPanel[] | NotFound {
  const key = nameKey(name);
  const listed = panels.filter(
    ({ panelId, hashId, panelName }) =>
      String(panelId) === key || (hashId !== null && nameKey(hashId) === key) || nameKey(panelName) === key,
  );
  const former = names
    .panelsCalled(name)
    .filter((panel) => panel.catalogue === catalogue)
    .map(({ id, name: present }) => ({ id, name: present }));
  const found = listed.length > 0 ? listed.map(foundPanel) : former;
  if (found.length === 1) return found;
  if (found.length > 1) {
    const all = found.map((one) => `${one.id} (${one.name})`).join(', ');
    return {
      notFound: `several panels are or were called ${JSON.stringify(name)}: ${all}. Give the number.`,
    };
  }
  const near = nearest(
    name,
    panels.map(({ panelName }) => panelName),
  );
  return { notFound: `no panel of ${catalogue} is called ${JSON.stringify(name)}.${hint(near)}` };
}

const foundPanel = ({ panelId, panelName }: ListedPanel): FoundPanel => ({ id: panelId, name: panelName });

const hint = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean ${near}?`);
