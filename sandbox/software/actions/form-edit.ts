import { isDeepStrictEqual } from 'node:util';
import type { Entity, Rating, Span } from '../state.ts';

/** What is entered in the edit form; what is absent stays as it was. */
export interface FormEdit {
  /** STRs and regions. A gene's symbol is replaced by `replaceGene`. */
  readonly name?: string;
  readonly verboseName?: string;
  readonly chromosome?: string;
  /** Null removes them. */
  readonly grch37?: Span | null;
  readonly grch38?: Span;
  readonly sequence?: string;
  readonly normalRepeats?: string;
  readonly pathogenicRepeats?: string;
  readonly variantType?: 'cnv_gain' | 'cnv_loss';
  readonly haploinsufficiency?: string;
  readonly triplosensitivity?: string;
  readonly requiredOverlap?: number;
  readonly sourcesRemoved?: readonly string[];
  readonly sourcesAdded?: readonly string[];
  readonly modeOfInheritance?: string;
  readonly modeOfPathogenicity?: string | null;
  readonly phenotypes?: string[];
  readonly penetrance?: string | null;
  readonly publications?: string[];
  readonly transcript?: string[];
  readonly tagsRemoved?: readonly string[];
  readonly tagsAdded?: readonly string[];
  /** STRs and regions; null unlinks it. */
  readonly linkedGene?: string | null;
  readonly rating?: Rating;
  /** An import: lists are added to, not replaced. */
  readonly append?: boolean;
}

/** Without the fields whose value an entity holds already. */
export function withoutSame(edit: FormEdit, entity: Entity): FormEdit {
  const { sequence, normal: normalRepeats, pathogenic: pathogenicRepeats } = entity.repeats;
  const held: Readonly<Record<string, unknown>> = { ...entity, sequence, normalRepeats, pathogenicRepeats };
  return Object.fromEntries(
    Object.entries(edit).filter(([field, entered]) => !isDeepStrictEqual(entered, held[field])),
  );
}
