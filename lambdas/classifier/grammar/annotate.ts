import type { Annotation } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import { line, type Part, type Read } from '../form.ts';
import { listOf, sidesOf, singleOf } from '../values.ts';

/** Readings that several forms share: what a part says of one field of an entity. */

type Field = Annotation['field'];

/** The draft of an event that changes one field of an entity. */
export const annotate = (annotation: Annotation): Draft => ({
  'entity.annotated': { changes: [annotation] },
});

/** Free text of two sides, `A to B`, is in the group `sides`. */
export const sides = { sides: true } as const;

/** `from A to B` of a single value. */
export function changed(field: Field, aspect?: string): Read {
  return bothSides(field, singleOf, { aspect });
}

/** `from A to B` of a value that is nearly always one of the catalogue's own list. */
export function chosen(field: Field, known: readonly string[]): Read {
  return bothSides(field, singleOf, { known });
}

/** `from a; b to c` of a list. */
export function listChanged(field: Field): Read {
  return bothSides(field, listOf);
}

/** `from 1-2 to 3-4`; coordinates that are not set are written as a lone hyphen. */
export function positionChanged(aspect: string): Read {
  return bothSides('coordinates', (words) => (words === '-' ? null : singleOf(words)), { aspect });
}

interface Sides {
  readonly aspect?: string | undefined;
  readonly known?: readonly string[];
}

function bothSides(
  field: Field,
  read: (words: string) => Annotation['from'],
  { aspect, known = [] }: Sides = {},
): Read {
  const what = aspect === undefined ? { field } : { field, aspect };
  return (words) => {
    const found = sidesOf(words, { known });
    return annotate(found ? { ...what, from: read(found.from), to: read(found.to) } : what);
  };
}

/** A line that says that the captured source was removed. */
export function sourceRemoved(pattern: RegExp): Part {
  return line(pattern, (source) => annotate({ field: 'sources', removed: [source] }));
}

/** A line that says that the captured source was added. */
export function sourceAdded(pattern: RegExp): Part {
  return line(pattern, (source) => annotate({ field: 'sources', added: [source] }));
}

/** A line that says that the captured tag was removed. */
export function tagRemoved(pattern: RegExp): Part {
  return line(pattern, (tag) => ({ 'entity.tags-changed': { added: [], removed: [tag] } }));
}

/** A line that says that the captured tag was added. */
export function tagAdded(pattern: RegExp): Part {
  return line(pattern, (tag) => ({ 'entity.tags-changed': { added: [tag], removed: [] } }));
}
