import type { Draft } from '../draft.ts';
import { isTag } from '../fixed-lists.ts';
import { alone, composite, either, type Form, line, open, required, type Slot, several } from '../form.ts';
import { listOf, ratingOfSources, singleOf, sourcesOf } from '../values.ts';
import { annotate, sourceRemoved, tagAdded, tagRemoved } from './annotate.ts';
import { ratingChanged } from './edit-form.ts';

/** Rows of 2018: lines that show the new value alone, and often the panel's name after it. */

const genes = { level: 'entity', types: ['gene'] } as const;

/** A line that may be of a source or of a tag; an expert review states the rating, as no line of its own did. */
function itemAdded(item: string): Draft {
  if (isTag(item)) return { 'entity.tags-changed': { added: [item], removed: [] } };
  const rating = ratingOfSources([item]);
  return {
    ...annotate({ field: 'sources', added: [item] }),
    ...(rating && { 'entity.classified': { to: rating } }),
  };
}

/** At least one of them: the line of the rating never stands alone. */
const editLines: Slot = {
  ...several(
    sourceRemoved(/^Source (?<source>.+) was removed from ⟨name⟩\. Panel: ⟨panel⟩$/s),
    line(/^(?<item>.+) was added to ⟨name⟩\. Panel: ⟨panel⟩$/s, itemAdded),
    tagRemoved(/^(?<tag>.+) was removed from ⟨name⟩\. Panel: ⟨panel⟩$/s),
    open(
      [
        /^Mode of inheritance for gene ⟨name⟩ was set to (?<moi>.*)$/s,
        /^Model of inheritance for gene ⟨name⟩ was set to (?<moi>.*)$/s,
      ],
      (moi) => annotate({ field: 'modeOfInheritance', to: singleOf(moi) }),
    ),
    open(
      [
        /^Mode of pathogenicity for gene ⟨name⟩ was set to (?<mop>.*)$/s,
        /^Model of pathogenicity for gene ⟨name⟩ was set to (?<mop>.*)$/s,
      ],
      (mop) => annotate({ field: 'modeOfPathogenicity', to: singleOf(mop) }),
    ),
    open(/^Phenotypes for gene ⟨name⟩ were set to (?<phenotypes>.*)$/s, (phenotypes) =>
      annotate({ field: 'phenotypes', to: listOf(phenotypes) }),
    ),
    open(/^Penetrance for gene ⟨name⟩ was set to (?<penetrance>.*)$/s, (penetrance) =>
      annotate({ field: 'penetrance', to: singleOf(penetrance) }),
    ),
    // As the software's own language prints a list.
    open(/^Publications for gene ⟨name⟩ was set to (?<publications>.*)$/s, () =>
      annotate({ field: 'publications' }),
    ),
  ),
  required: true,
};

const edit = composite({
  ...genes,
  name: 'earlyGeneEdit',
  parts: [editLines, ratingChanged],
});

const added = composite({
  ...genes,
  name: 'added',
  parts: [
    required(line(/^⟨name⟩ was added by (?<actor>.*)$/s, () => ({ 'entity.added': {} }))),
    several(tagAdded(/^(?<tag>.+) was added to ⟨name⟩\.$/s)),
    required(
      line(/^⟨name⟩ was added to ⟨panel⟩\. Sources: (?<sources>.*)$/s, (sources) => ({
        'entity.added': { sources: sourcesOf(sources) },
      })),
    ),
    either(
      // Written for every symbol that starts with MT-, even where another value was stored.
      line(/^Model of inheritance for gene ⟨name⟩ was set to MITOCHONDRIAL$/, () => ({ 'entity.added': {} })),
    ),
  ],
});

const singleEdits = alone(
  { level: 'entity' },
  {
    phenotypesSet: open(/^Phenotypes for ⟨label⟩ were set to (?<phenotypes>.*)$/s, (phenotypes) =>
      annotate({ field: 'phenotypes', to: listOf(phenotypes) }),
    ),
    pathogenicitySet: open(/^Mode of pathogenicity for ⟨label⟩ was changed to (?<mop>.*)$/s, (mop) =>
      annotate({ field: 'modeOfPathogenicity', to: singleOf(mop) }),
    ),
  },
);

export const formsOf2018: readonly Form[] = [added, ...singleEdits, edit];
