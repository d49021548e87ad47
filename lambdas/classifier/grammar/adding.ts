import type { Changes } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import { type Form, line, open } from '../form.ts';
import { listOf, ratingOf, singleOf, sourcesOf } from '../values.ts';

const added = (fields: Partial<Changes['entity.added']>): Draft => ({ 'entity.added': fields });

const wasAdded = line(/^⟨label⟩ was added$/, () => added({}));

/** An entity added to a panel: one row of up to twelve parts. The rating it got is not among them. */
const adding: Form = {
  name: 'added',
  level: 'entity',
  opening: wasAdded,
  parts: [
    wasAdded,
    line(/^⟨label⟩ was added to .*\. Sources: (?<sources>.*)$/, ({ sources = '' }) =>
      added({ sources: sourcesOf(sources) }),
    ),
    line(/^(?<tags>.+) tags were added to ⟨label⟩\.$/, ({ tags = '' }) => added({ tags: tags.split(', ') })),
    open(/^Mode of inheritance for (?:gene )?⟨label⟩ was set to (?<moi>.*)$/s, ({ moi = '' }) =>
      added({ modeOfInheritance: singleOf(moi) }),
    ),
    open(/^Publications for ⟨label⟩ were set to (?<publications>.*)$/s, ({ publications = '' }) =>
      added({ publications: listOf(publications) }),
    ),
    open(/^Phenotypes for ⟨label⟩ were set to (?<phenotypes>.*)$/s, ({ phenotypes = '' }) =>
      added({ phenotypes: listOf(phenotypes) }),
    ),
    open(/^Penetrance for ⟨label⟩ were set to (?<penetrance>.*)$/s, ({ penetrance = '' }) =>
      added({ penetrance: singleOf(penetrance) }),
    ),
    // An STR or region has no mode of pathogenicity: what the software writes there was never stored.
    open(/^Mode of pathogenicity for ⟨label⟩ was set to (?<mop>.*)$/s, ({ mop = '' }, { entity }) =>
      entity?.type === 'gene' ? added({ modeOfPathogenicity: singleOf(mop) }) : {},
    ),
    line(/^Review for ⟨label⟩ was set to (?<rating>GREEN|AMBER|RED)$/, ({ rating = '' }) => ({
      'entity.reviewed': { rating: ratingOf(rating) },
    })),
    line(/^⟨label⟩ was marked as clinically relevant$/, () => ({
      'entity.reviewed': { clinicallyRelevant: true },
    })),
    line(/^⟨label⟩ was marked as current diagnostic$/, () => ({
      'entity.reviewed': { currentDiagnostic: true },
    })),
  ],
  closing: open(/^Added comment: (?<comment>.*)$/s, ({ comment = '' }) => ({
    'entity.commented': { action: 'added', comment },
  })),
};

const legacyAdding: Form = {
  name: 'added',
  level: 'entity',
  parts: [line(/^added (?:⟨label⟩|⟨name⟩) to panel$/, () => added({}))],
};

export const addingForms: readonly Form[] = [adding, legacyAdding];
