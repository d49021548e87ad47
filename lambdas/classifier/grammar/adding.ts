import type { Changes } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import { isTag } from '../fixed-lists.ts';
import { alone, composite, either, type Form, line, open, type Read, required, rest } from '../form.ts';
import { certainListOf, listOf, ratingOf, singleOf, sourcesOf } from '../values.ts';

const added = (fields: Partial<Changes['entity.added']>): Draft => ({ 'entity.added': fields });

const commented: Read = (comment) => ({
  'entity.commented': { action: 'added', comment },
});

/** An entity added to a panel: one row of up to twelve parts. The rating it got is not among them. */
const adding = composite({
  name: 'added',
  level: 'entity',
  parts: [
    required(line(/^⟨label⟩ was added$/, () => added({}))),
    required(
      line(
        [
          /^⟨label⟩ was added to ⟨panel⟩\. Sources: (?<sources>.*)$/s,
          // A panel that has another name in its row.
          /^⟨label⟩ was added to .*\. Sources: (?<sources>.*)$/s,
        ],
        (sources) => added({ sources: sourcesOf(sources) }),
      ),
    ),
    // For some months of 2018 it was written without a tag, too.
    line(/^(?<tags>.*) tags were added to ⟨label⟩\.$/s, (words) => {
      if (words === '') return {};
      const tags = certainListOf(words, ', ', isTag);
      // Where the tags cannot be separated, nothing states which ones were added.
      if (!tags) return added({ tags });
      return { ...added({ tags }), 'entity.tags-changed': { added: [...tags], removed: [] } };
    }),
    either(
      open(/^Mode of inheritance for ⟨label⟩ was set to (?<moi>.*)$/s, (moi) =>
        added({ modeOfInheritance: singleOf(moi) }),
      ),
      // Written for every symbol that starts with MT-, even where another value was stored.
      line(/^Mode of inheritance for gene ⟨label⟩ was set to MITOCHONDRIAL$/, () => added({})),
    ),
    open(/^Publications for ⟨label⟩ were set to (?<publications>.*)$/s, (publications) =>
      added({ publications: listOf(publications) }),
    ),
    open(/^Phenotypes for ⟨label⟩ were set to (?<phenotypes>.*)$/s, (phenotypes) =>
      added({ phenotypes: listOf(phenotypes) }),
    ),
    open(/^Penetrance for ⟨label⟩ were set to (?<penetrance>.*)$/s, (penetrance) =>
      added({ penetrance: singleOf(penetrance) }),
    ),
    // An STR or region has no mode of pathogenicity: what the software writes there was never stored.
    open(/^Mode of pathogenicity for ⟨label⟩ was set to (?<mop>.*)$/s, (mop, { entity }) =>
      entity?.type === 'gene' ? added({ modeOfPathogenicity: singleOf(mop) }) : {},
    ),
    line(/^Review for ⟨label⟩ was set to (?<rating>GREEN|AMBER|RED)$/, (rating) => ({
      'entity.reviewed': { edited: false, rating: ratingOf(rating) },
    })),
    line(/^⟨label⟩ was marked as clinically relevant$/, () => ({
      'entity.reviewed': { edited: false, clinicallyRelevant: true },
    })),
    line(/^⟨label⟩ was marked as current diagnostic$/, () => ({
      'entity.reviewed': { edited: false, currentDiagnostic: true },
    })),
    // The line of sources belongs to the comment, and is all of it where only a rating was given.
    either(
      rest(/^Added comment: (?<comment>.*)$/s, commented, { closing: 'Sources: ' }),
      line(/^Added comment: (?<comment>Sources: .*)$/s, commented),
    ),
  ],
});

const legacyAdding = alone(
  { level: 'entity' },
  {
    added: line([/^added ⟨entity⟩ to panel$/, /^Added gene to panel$/, /^Added STR to panel$/], () =>
      added({}),
    ),
  },
);

/** Written right after the row of an addition, with the version of the panel that the entity was copied from. */
const copied = alone(
  { level: 'entity' },
  {
    copied: line(/^Entity copied from (?<panel>.+) v(?<version>\d+\.\d+)$/s, (panel) =>
      added({ copiedFrom: panel }),
    ),
  },
);

export const addingForms: readonly Form[] = [adding, ...legacyAdding, ...copied];
