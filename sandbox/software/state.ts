import type { EntityType } from './entity-type.ts';
import type { PanelStatus } from './slots.ts';

/** A rating as the catalogue has it; `none` is "No list". */
export type Rating = 'green' | 'amber' | 'red' | 'none';
/** The UK service's code of 2019, and the Australian code of 2026. */
export type CodeLine = 'uk-2019' | 'au';
/** Where a region or STR begins and ends, in bases. */
export type Span = readonly [start: number, end: number];

/** A gene, STR or region on a panel. */
export interface Entity {
  readonly type: EntityType;
  /** A gene's symbol, an STR's or a region's name. */
  name: string;
  rating: Rating;
  /** The rating that the log last stated; it falls behind where a rating changes without a row. */
  statedRating: Rating | null;
  sources: string[];
  tags: string[];
  modeOfInheritance: string;
  modeOfPathogenicity: string | null;
  phenotypes: string[];
  publications: string[];
  penetrance: string | null;
  transcript: string[] | null;
  /** Symbol of the gene that an STR or a region is linked to. */
  linkedGene: string | null;
  verboseName: string;
  chromosome: string;
  grch37: Span | null;
  grch38: Span | null;
  repeats: { sequence: string; normal: string; pathogenic: string };
  variantType: 'cnv_gain' | 'cnv_loss';
  haploinsufficiency: string | null;
  triplosensitivity: string | null;
  requiredOverlap: number;
  ready: boolean;
  /** Names of those with a review of it. */
  reviewers: string[];
  comments: string[];
}

/** A type of panel, as `/panels/` lists it. */
export interface PanelType {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

/** A version that was signed off. */
export interface SignOff {
  readonly version: string;
  /** The day that the form states, such as `2026-02-01`. */
  readonly day: string;
}

/** What a panel held at the end of a version. */
interface ArchivedVersion {
  /** The panel with its entities and its children, as they were. */
  readonly panel: Panel;
  /** When the next version began, in microseconds since the epoch. */
  readonly endedAt: number;
}

/** A panel as the software stores it. */
export interface Panel {
  readonly id: number;
  name: string;
  description: string;
  status: PanelStatus;
  major: number;
  minor: number;
  /** Microseconds since the epoch. */
  versionCreated: number;
  types: PanelType[];
  diseaseGroup: string;
  diseaseSubGroup: string;
  relevantDisorders: string[];
  hpoTerms: string[];
  childPanels: Panel[];
  /** Oldest first; empty where no version is signed off. */
  signOffs: readonly SignOff[];
  entities: Entity[];
  /** The versions that ended, oldest first; absent where none is kept. */
  readonly archive?: ArchivedVersion[];
}

/** A person who acts. */
export interface Person {
  /** Null for the system; the empty string for a user without names. */
  readonly name: string | null;
  /** Others can only propose: what they add lands on "No list". */
  readonly curator: boolean;
}

/** The state of the software: its panels, and which code runs. */
export interface Software {
  readonly codeLine: CodeLine;
  readonly panels: Panel[];
}

/** The rating that a source carries by its name. */
export function ratingOfSource(source: string): Rating | null {
  const rating = /^Expert Review (Green|Amber|Red|Removed)$/.exec(source)?.[1];
  if (rating === undefined) return null;
  return rating === 'Removed' ? 'none' : (rating.toLowerCase() as Rating);
}

/** The source by which a rating is given. */
export function sourceOfRating(rating: Rating): string {
  const names = { green: 'Green', amber: 'Amber', red: 'Red', none: 'Removed' };
  return `Expert Review ${names[rating]}`;
}

/** Whether it is the mitochondrial genome's: the software then sets the mode of inheritance by itself. */
export function isMitochondrial({ type, name, linkedGene }: Entity): boolean {
  return (type === 'gene' ? name : (linkedGene ?? '')).startsWith('MT-');
}
