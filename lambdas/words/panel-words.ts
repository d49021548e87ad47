import { firstRCodes } from '../events/r-codes.ts';
import type { Entity, EventPanel, PanelEvent } from '../events/schemas.ts';
import type { PanelChanges } from '../filters/net-changes.ts';
import type { Proof } from '../panels/version-state.ts';
import type { SweepReport } from '../reconcile/sweep-report.ts';
import { counted } from '../run/text.ts';
import { cleanLine } from './clean-text.ts';
import type { Link, PlaceBlock, Thread } from './notice.ts';
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
function codesOf(panel: Parameters<typeof rCodesOf>[0]): string {
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

/** No chat states how long the id of a thread may be, and a mail's Message-ID may have 998 characters. */
const LONGEST_PART = 100;

/** The id of a thread, of letters, digits, full stops, hyphens and underscores, however long and odd its parts are. */
export function threadId(...parts: readonly (string | number)[]): string {
  return parts
    .map((part) =>
      String(part)
        .slice(0, LONGEST_PART)
        .replace(/[^\w.-]+/g, '-'),
    )
    .join('.');
}

/** The thread of the messages about one panel of one catalogue. */
export function threadOf({ catalogue, panel }: PanelEvent['data']): Thread {
  if (!panel) return { id: threadId(catalogue), title: catalogue };
  return { id: threadId(catalogue, 'panel', panel.id ?? 'deleted'), title: panelTitle(panel) };
}

/**
 * The address of the catalogue's own page for people about an entity on the panel of an event; of the panel where it is null. Null
 * where the address is unknown: it is derived from that of a public catalogue's API, `https://…/api/v1/`.
 */
export function pageAddress(
  { source, data }: PanelEvent,
  entity: Pick<Entity, 'type' | 'name'> | null = data.entity,
): string | null {
  const { panel } = data;
  if (typeof panel?.id !== 'number') return null;
  const site = siteOf(source);
  if (site === null) return null;
  const page = `${site}panels/${panel.id}/`;
  if (!entity || entity.name === '' || entity.name.length > LONGEST_NAME || /^\.{1,2}$/.test(entity.name))
    return page;
  return `${page}${entity.type}/${encodeURIComponent(entity.name.toWellFormed())}/`;
}

/** The link to the catalogue's own page about an entity, or about the panel where it is null; none where it is unknown. */
export function pageLinks(event: PanelEvent, entity: Entity | null): readonly Link[] {
  const address = pageAddress(event, entity);
  if (address === null) return [];
  const isPanel = address === pageAddress(event, null);
  const { label, button } = isPanel ? links.panel : links[entity?.type ?? 'gene'];
  return [{ label, button, address }];
}

const links = {
  panel: { label: 'Panel', button: 'Open the panel' },
  gene: { label: 'Gene on the panel', button: 'Open the gene' },
  str: { label: 'STR on the panel', button: 'Open the STR' },
  region: { label: 'Region on the panel', button: 'Open the region' },
} as const;

/** Names in the catalogue are shorter: no page is known for a longer one. */
const LONGEST_NAME = 200;

function siteOf(source: string): string | null {
  if (!source.endsWith('/api/v1/') || !URL.canParse(source)) return null;
  const { protocol, hostname, origin, pathname } = new URL(source);
  if (protocol !== 'https:' || !hostname.includes('.') || /^[\d.]+$/.test(hostname)) return null;
  return `${origin}${pathname.slice(0, -'api/v1/'.length)}`;
}

/** An entity under the name that it has now. */
export interface NamedEntity extends Pick<Entity, 'type' | 'name'> {
  /** The name under which its change was published, where it was replaced or renamed before the message. */
  readonly formerly?: string;
}

/** An entity as messages name it: `BRCA1`, `KMT2D (formerly MLL2)`, `STR ATXN1_CAG`, `Region ISCA-37390-Loss`. */
export function entityName(entity: NamedEntity | null): string {
  if (!entity) return 'An entity';
  const before = entity.formerly === undefined ? '' : ` (formerly ${cleanLine(entity.formerly)})`;
  const name = `${cleanLine(entity.name) || 'without a name'}${before}`;
  if (entity.type === 'gene') return name;
  return entity.type === 'str' ? `STR ${name}` : `Region ${name}`;
}

/** Whether a version is proven, in a few words for a list. */
export function proofWord(proof: Proof): string {
  switch (proof.kind) {
    case 'proven':
      return 'proven';
    case 'baseline':
      return proof.after === undefined ? 'first version read' : 'begun anew';
    case 'explained':
      return `proven, ${counted(proof.events, 'change')} without a row`;
    case 'unproven':
      return 'not proven';
    default:
      return proof satisfies never;
  }
}

/** Whether a version is proven, as a sentence that says what follows from it. */
export function proofSentence(proof: Proof): string {
  switch (proof.kind) {
    case 'proven':
      return 'Proven: the version before it and the rows of the log lead to exactly what this version holds.';
    case 'baseline':
      return proof.after === undefined
        ? 'This is the first version of the panel that was read, so it cannot be compared with the one before.'
        : `The version numbers of the panel went back after ${proof.after}. The panel begins anew with this version: nothing is proven of the time between.`;
    case 'explained':
      return proof.events === 1
        ? 'One change of this version has no row in the log. The catalogue’s archive shows it, and it was published from there.'
        : `${proof.events} changes of this version have no row in the log. The catalogue’s archive shows them, and they were published from there.`;
    case 'unproven':
      return `Not proven: ${proof.why}. A change of this version may be missing.`;
    default:
      return proof satisfies never;
  }
}

/** Why a sweep trusted nothing of the lists that it read, as a clause. */
export const refusalWords: Readonly<Record<NonNullable<SweepReport['refusal']>, string>> = {
  incomplete: 'the listings could not be read completely',
  empty: 'the listing has no panel',
  shrunken: 'too many panels or regions are gone from the listings',
  renumbered: 'the catalogue was renumbered: many panels are listed by the same name under another id',
  'mass-change': 'many panels have the same kind of change',
  outdated: 'the listing is older than the last one',
  'sign-offs': 'the list of signed-off versions changed for many panels without a row of the log',
};
