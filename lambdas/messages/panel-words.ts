import type { EventPanel } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';
import type { PlaceBlock } from './notice.ts';
import { namePiece, type Phrase, phrase } from './phrase.ts';

/** A panel's name, apart from what must not be cut off with it. */
interface PanelName {
  readonly name: string;
  /** ` (R208)`, with a space before it; empty without test-directory codes. */
  readonly codes: string;
}

const MOST_CODES = 3;

/** The name as the catalogue spells it, and the codes by which laboratories know it. */
export function panelName(panel: EventPanel | null): PanelName {
  if (!panel) return { name: 'a panel', codes: '' };
  const all = rCodesOf(panel);
  const codes = all.length > MOST_CODES ? [...all.slice(0, MOST_CODES), '…'] : all;
  return {
    name: cleanLine(panel.name) || `panel ${panel.id}`,
    codes: codes.length > 0 ? ` (${codes.join(', ')})` : '',
  };
}

/** `Hearing loss (R67)`. */
export function panelTitle(panel: EventPanel | null): string {
  const { name, codes } = panelName(panel);
  return `${name}${codes}`;
}

/** The name and its codes; the name may be shortened. */
export function panelPhrase(panel: EventPanel | null): Phrase {
  const { name, codes } = panelName(panel);
  return phrase`${namePiece(name)}${codes}`;
}

/**
 * `Hearing loss (R67), version 1.6, a signed-off panel`, and `, catalogue uk` where one is given. The version is that of
 * the panel after the change: the log does not say which version was signed off.
 */
export function panelPlace(panel: EventPanel | null, catalogue?: string): PlaceBlock {
  const version = cleanLine(panel?.version ?? '');
  const { name, codes } = panelName(panel);
  const facts = [
    { label: 'Panel', value: panel?.signedOff ? `${name} (signed-off panel)` : name },
    { label: 'R code', value: codes.slice(2, -1) },
    { label: 'Version', value: version },
    { label: 'Catalogue', value: cleanLine(catalogue ?? '') },
  ];
  const text = [
    `${name}${codes}`,
    version && `version ${version}`,
    panel?.signedOff && 'a signed-off panel',
    catalogue && `catalogue ${cleanLine(catalogue)}`,
  ];
  return {
    kind: 'place',
    text: phrase`${text.filter(Boolean).join(', ')}`,
    facts: facts.flatMap(({ label, value }) => (value === '' ? [] : [{ label, value: phrase`${value}` }])),
  };
}

function rCodesOf({ relevantDisorders = [] }: EventPanel): readonly string[] {
  const found = relevantDisorders.flatMap((text) => /\bR\d+(?:\.\d+)?\b/.exec(text)?.[0] ?? []);
  return [...new Set(found)];
}
