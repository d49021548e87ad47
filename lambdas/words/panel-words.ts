import { firstRCodes } from '../events/r-codes.ts';
import type { EventPanel } from '../events/schemas.ts';
import type { PanelChanges } from '../filters/net-changes.ts';
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
  return { name: cleanLine(panel.name) || `panel ${panel.id}`, codes: codesOf(panel) };
}

/** ` (R208)`, with a space before it, of a panel with these disorders; empty without test-directory codes. */
export function codesOf(panel: Parameters<typeof rCodesOf>[0]): string {
  const all = rCodesOf(panel);
  const codes = all.length > MOST_CODES ? [...all.slice(0, MOST_CODES), '…'] : all;
  return codes.length > 0 ? ` (${codes.join(', ')})` : '';
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

interface PlaceOptions {
  /** Named where the reader gets messages about several. */
  readonly catalogue?: string;
  /** What is signed off of the panel, as a sentence without a full stop; empty where that is unknown. */
  readonly signedOff: string;
}

/**
 * `Hearing loss (R67), version 1.6`, and what is signed off of the panel. The version is that of the panel after the change,
 * which is hardly ever the one that is signed off.
 */
export function panelPlace(panel: EventPanel | null, { catalogue, signedOff }: PlaceOptions): PlaceBlock {
  const version = cleanLine(panel?.version ?? '');
  const { name, codes } = panelName(panel);
  const facts = [
    { label: 'Panel', value: name },
    { label: 'R code', value: codes.slice(2, -1) },
    { label: 'Version', value: version },
    { label: 'Signed off', value: signedOff },
    { label: 'Catalogue', value: cleanLine(catalogue ?? '') },
  ];
  const text = [
    `${name}${codes}`,
    version && `version ${version}`,
    catalogue && `catalogue ${cleanLine(catalogue)}`,
  ];
  return {
    kind: 'place',
    text: phrase`${text.filter(Boolean).join(', ')}`,
    ...(signedOff !== '' && { below: phrase`${signedOff}` }),
    facts: facts.flatMap(({ label, value }) => (value === '' ? [] : [{ label, value: phrase`${value}` }])),
  };
}

/** What happened to a panel itself, in the words of every list and message. */
export const panelStepWords: Readonly<Record<PanelChanges['panel'][number], string>> = {
  created: 'new panel',
  deleted: 'deleted',
  published: 'now public',
  withdrawn: 'no longer public',
};

/** `22 March 2023` of `2023-03-22`. */
export const dayWords = (day: string): string =>
  Number.isNaN(Date.parse(day))
    ? cleanLine(day)
    : new Intl.DateTimeFormat('en-GB', {
        timeZone: 'UTC',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      }).format(new Date(day));

/** The codes of a panel in the test directory, such as `R208`, in the order of its disorders. */
export function rCodesOf({
  relevantDisorders = [],
}: {
  readonly relevantDisorders?: readonly string[] | undefined;
}): readonly string[] {
  return [...new Set(firstRCodes(relevantDisorders))];
}
