import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import type { PanelStatus } from './slots.ts';
import type { EntityType } from './values.ts';

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
  /** What an STR repeats, how often normally, and how often where it causes disease. */
  sequence: string;
  normalRepeats: string;
  pathogenicRepeats: string;
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

/**
 * Raises the minor version, from the change at that time (microseconds since the epoch). Call it before the change: the
 * version that ends is archived as the panel is now.
 */
export function raiseVersion(panel: Panel, at: number): void {
  beginVersion(panel, { major: panel.major, minor: panel.minor + 1 }, at);
}

/** Raises the major version, from that time (microseconds since the epoch). */
export function raiseMajorVersion(panel: Panel, at: number): void {
  beginVersion(panel, { major: panel.major + 1, minor: 0 }, at);
}

/** Begins a version of any number, and archives the one before where the panel has an archive. */
export function beginVersion(
  panel: Panel,
  { major, minor }: { readonly major: number; readonly minor: number },
  at: number,
): void {
  panel.archive?.push({ panel: copyOf(panel), endedAt: at });
  panel.major = major;
  panel.minor = minor;
  // A row that arrives late is dated before others of its panel; its version is not.
  panel.versionCreated = Math.max(at, panel.versionCreated);
}

/** The version of a panel as rows show it: `1.12`. */
export function versionOf({ major, minor }: Panel): string {
  return `${major}.${minor}`;
}

/** What the panel held at a version: the last one archived under that number, else the panel itself. */
export function panelAt(panel: Panel, version: string): Panel | undefined {
  if (versionOf(panel) === version) return panel;
  return panel.archive?.findLast((archived) => versionOf(archived.panel) === version)?.panel;
}

function copyOf({ archive: _own, ...panel }: Panel): Panel {
  return { ...panel, entities: panel.entities.map(entityCopy), childPanels: panel.childPanels.map(copyOf) };
}

/** The last copy of each entity: versions share the copies of what did not change between them. */
const copies = new WeakMap<Entity, Entity>();

function entityCopy(entity: Entity): Entity {
  const last = copies.get(entity);
  if (last && sameFields(last, entity)) return last;
  const copy = { ...entity, reviewers: [...entity.reviewers], comments: [...entity.comments] };
  copies.set(entity, copy);
  return copy;
}

/** Lists that people edit are replaced, never changed in place; those of reviews are in no state. */
function sameFields(copy: Entity, entity: Entity): boolean {
  for (const field in entity) {
    if (field === 'reviewers' || field === 'comments') continue;
    if (copy[field as keyof Entity] !== entity[field as keyof Entity]) return false;
  }
  return true;
}

/** The UTC day of a time in microseconds since the epoch: `2026-02-01`. */
export function dayOf(at: number): string {
  return new Date(Math.floor(at / 1000)).toISOString().slice(0, 10);
}

/**
 * A value that the text leaves open: any of these may be published, and no other. Null means "left out". It is used where
 * free text can be split in several ways (several " to " between an old and a new value), and where only other rows
 * state the value.
 */
interface OneOf<T = unknown> {
  readonly oneOf: readonly (T | null)[];
}

/** A value, or the values that are acceptable for it. */
export type Stated<T = unknown> = T | OneOf<T>;

/** The right value or none, never a wrong one. */
export function possiblyLeftOut<T>(value: Stated<T>): OneOf<T> {
  return { oneOf: isOneOf(value) ? [null, ...(value.oneOf as T[])] : [null, value] };
}

/** Whether several values are acceptable. */
export function isOneOf(value: unknown): value is OneOf {
  return typeof value === 'object' && value !== null && 'oneOf' in value;
}

/** The entity that a fact is about. */
export interface FactEntity {
  readonly type: EntityType;
  readonly name: string;
}

/** The fields of a change as far as the text states them; a field that is absent must not be filled. */
export type StatedChange<Kind extends EventKindName> = {
  readonly [Field in keyof Changes[Kind]]?: Field extends 'changes'
    ? readonly StatedField[]
    : Stated<Changes[Kind][Field] | null>;
};

/** One entry of the `changes[]` of `entity.annotated` and `panel.changed`. */
export interface StatedField {
  readonly field: string;
  readonly aspect?: string;
  readonly from?: Stated;
  readonly to?: Stated;
  readonly added?: Stated;
  readonly removed?: Stated;
}

/** One fact that the rows of an action state, in the vocabulary of the event contract. */
export interface Fact {
  readonly type: EventKindName;
  readonly panelId: number;
  readonly entity: FactEntity | null;
  readonly change: Readonly<Record<string, unknown>>;
  /** Which of the action's rows state it, oldest first from 0. */
  readonly rows: readonly number[];
  /** It follows from the rows, but need not be published. */
  readonly optional?: true;
}
