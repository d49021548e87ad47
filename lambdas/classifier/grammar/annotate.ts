import type { Annotation } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import type { Read } from '../form.ts';
import { listOf, sidesOf, singleOf } from '../values.ts';

/** Readings that several forms share: what a line says of one field of an entity. */

type Field = Annotation['field'];

export const annotate = (annotation: Annotation): Draft => ({
  'entity.annotated': { changes: [annotation] },
});

/** `from A to B` of a single value, in the group `sides`. */
export function changed(field: Field): Read {
  return ({ sides = '' }) => {
    const known = sidesOf(sides);
    return annotate({ field, ...(known && { from: singleOf(known.from), to: singleOf(known.to) }) });
  };
}

/** `from a; b to c` of a list, in the group `sides`. */
export function listChanged(field: Field): Read {
  return ({ sides = '' }) => {
    const known = sidesOf(sides);
    return annotate({ field, ...(known && { from: listOf(known.from), to: listOf(known.to) }) });
  };
}

/** `from A to B` of words without spaces, in the groups `from` and `to`; `what` names one of several. */
export function wordChanged(field: Field, aspects: Readonly<Record<string, string>> = {}): Read {
  return ({ what = '', from = '', to = '' }) => {
    const aspect = aspects[what];
    return annotate({ field, ...(aspect && { aspect }), from: positionOf(from), to: positionOf(to) });
  };
}

/** A word; coordinates that are not set are written as a lone hyphen. */
function positionOf(word: string): string | null {
  return word === '-' || word === 'None-None' ? null : singleOf(word);
}

/**
 * A field for which the software writes one side twice (the gene's publications in the AU code, the mode of
 * inheritance of mitochondrial genes): what it shows is the value after the change.
 */
export function twiceTheSame(words: string): string | null {
  const middle = (words.length - ' to '.length) / 2;
  const half = words.slice(0, Math.max(0, middle));
  return Number.isInteger(middle) && middle >= 0 && `${half} to ${half}` === words ? half : null;
}
