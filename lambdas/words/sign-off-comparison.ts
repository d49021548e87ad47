import type { Rating } from '../events/changes.ts';
import type { Entity } from '../events/schemas.ts';

/** A rating that a version states; null where the catalogue did not serve it. */
export type RatingAt = Rating | 'absent' | null;

/** An entity whose rating differs between two versions of a panel. */
export interface ComparedEntity {
  readonly entity: Entity;
  readonly before: RatingAt;
  readonly after: RatingAt;
  /** In the later version. */
  readonly modeOfInheritance: string | null;
}

/** What a sign-off changed of what counts. A list is null where one of its versions is unknown; `unknown` says which. */
export interface SignOffComparison {
  readonly entered: readonly ComparedEntity[] | null;
  readonly left: readonly ComparedEntity[] | null;
  /** Green in the newest version that is known, and not in the one that is signed off. */
  readonly awaiting: readonly ComparedEntity[] | null;
  /** Green in the one that is signed off, and no longer in the newest one. */
  readonly downgraded: readonly ComparedEntity[] | null;
  /** All that is green in the version that is signed off, where what was signed off before is unknown; null otherwise. */
  readonly green: readonly ComparedEntity[] | null;
  /** The newest version that is known: the one that was read, or to which later events led. */
  readonly newest: string | null;
  /** Another sign-off that counts at present; null where the one of the event does, or none is known to. */
  readonly counting: { readonly version: string; readonly date: string } | null;
  /** Whether the lists hold only what the reader asks for. */
  readonly filtered: boolean;
  /** What is missing, in sentences. */
  readonly unknown: readonly string[];
}
