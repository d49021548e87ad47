import { modesOfInheritance } from '../fixed-lists.ts';
import type { Read } from '../form.ts';
import { listOf, singleOf } from '../values.ts';
import { annotate, chosen, listChanged } from './annotate.ts';

/** Lines that the software fills with a value that is wrong: only what is right is stated. */

/** A mitochondrial gene gets MITOCHONDRIAL before the line is written, which then shows it on both sides. */
export const inheritanceChanged: Read = (words, context, groups) =>
  context.entity?.name.startsWith('MT-') && words === 'MITOCHONDRIAL to MITOCHONDRIAL'
    ? annotate({ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' })
    : chosen('modeOfInheritance', modesOfInheritance)(words, context, groups);

/** The Australian code shows the new list on both sides. */
export const publicationsChanged: Read = (words, context, groups) => {
  const after = twiceTheSame(words);
  return after === null
    ? listChanged('publications')(words, context, groups)
    : annotate({ field: 'publications', to: listOf(after) });
};

/** Shows the value before the change as if it were the one after. */
export const penetranceSet: Read = (from) => annotate({ field: 'penetrance', from: singleOf(from) });

function twiceTheSame(words: string): string | null {
  const half = words.slice(0, Math.max(0, (words.length - ' to '.length) / 2));
  return words === `${half} to ${half}` ? half : null;
}
