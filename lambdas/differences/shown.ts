import type { Rating } from '../events/changes.ts';
import type { Entity } from '../events/schemas.ts';

/**
 * What a catalogue shows of a panel at one moment, in a listing or in the state of a version. A reader of listings or
 * states gives every fact a value, or undefined where it does not show that fact: absent is not empty.
 */

/** A number of entities. The catalogue may count its entities later than it writes their rows. */
export interface Count {
  readonly shown: number;
  /** The number to which the events have led so far. */
  readonly expected: number;
}

/** The facts of a panel, apart from its entities. */
export interface PanelFacts {
  /** Whether the panel is public. */
  readonly visible: boolean;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  /** Names of the types. The type "GMS signed-off" is one of them: which version is signed off, only the list of sign-offs shows. */
  readonly types: readonly string[];
  readonly diseaseGroup: string;
  readonly diseaseSubGroup: string;
  readonly relevantDisorders: readonly string[];
  /** Names of the panels of a super panel. */
  readonly childPanels: readonly string[];
  readonly numberOfGenes: Count;
  readonly numberOfStrs: Count;
  readonly numberOfRegions: Count;
}

/** The facts of an entity on a panel. Texts are null where they are empty. */
export interface EntityFacts {
  readonly rating: Rating;
  readonly tags: readonly string[];
  /** The `evidence` of the catalogue. */
  readonly sources: readonly string[];
  readonly modeOfInheritance: string | null;
  readonly modeOfPathogenicity: string | null;
  readonly penetrance: string | null;
  readonly phenotypes: readonly string[];
  readonly publications: readonly string[];
  readonly transcript: readonly string[];
  /** Symbol of the gene that an STR or region is linked to. */
  readonly gene: string | null;
  readonly verboseName: string | null;
  readonly chromosome: string | null;
  /** `<start>-<end>`, as `grch38`. */
  readonly grch37: string | null;
  readonly grch38: string | null;
  readonly repeatedSequence: string | null;
  readonly normalRepeats: string | null;
  readonly pathogenicRepeats: string | null;
  readonly haploinsufficiency: string | null;
  readonly triplosensitivity: string | null;
  readonly requiredOverlap: string | null;
  readonly variantType: string | null;
}

/** Facts, each undefined where it is unknown. */
export type Shown<Facts> = { readonly [Name in keyof Facts]: Facts[Name] | undefined };

/** An entity on a panel, as it is shown. Its ids distinguish it from one of the same name. */
export interface ShownEntity extends Entity {
  /** Id of the panel that a super panel has the entity from. */
  readonly ofPanel?: number | undefined;
  readonly facts: Partial<Shown<EntityFacts>>;
}

/** A panel, as it is shown. */
export interface ShownPanel {
  readonly facts: Partial<Shown<PanelFacts>>;
  readonly entities: readonly ShownEntity[];
  /** The types of which every entity is among `entities`: any other is not on the panel. */
  readonly whole: readonly Entity['type'][];
}
