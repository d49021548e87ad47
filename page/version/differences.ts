import { identityOf } from '../../lambdas/panel-states/entity-identity.ts';
import type { StateEntity, VersionState } from '../../lambdas/panel-states/version-state.ts';

/** An entity that two versions hold with different values. */
export interface ChangedEntity {
  readonly before: StateEntity;
  readonly now: StateEntity;
  /** The fields that differ, apart from rating and name. A field that one version does not state is no difference. */
  readonly fields: readonly string[];
}

/** What differs between two versions of a panel. */
interface VersionDifferences {
  readonly added: readonly StateEntity[];
  readonly removed: readonly StateEntity[];
  readonly rated: readonly ChangedEntity[];
  readonly renamed: readonly ChangedEntity[];
  readonly changed: readonly ChangedEntity[];
}

/** The fields that people read, with their words. */
const fieldWords: Readonly<Partial<Record<keyof StateEntity, string>>> = {
  tags: 'tags',
  evidence: 'sources',
  phenotypes: 'phenotypes',
  publications: 'publications',
  transcript: 'transcript',
  modeOfInheritance: 'mode of inheritance',
  modeOfPathogenicity: 'mode of pathogenicity',
  penetrance: 'penetrance',
  normalRepeats: 'normal repeats',
  pathogenicRepeats: 'pathogenic repeats',
  repeatedSequence: 'repeated sequence',
  verboseName: 'name in words',
  variantType: 'type of variant',
  haploinsufficiency: 'haploinsufficiency',
  triplosensitivity: 'triplosensitivity',
  requiredOverlap: 'required overlap',
};

/** What a version of a panel holds otherwise than the one before it. */
export function differencesOf(before: VersionState, now: VersionState): VersionDifferences {
  const earlier = byIdentity(before);
  const later = byIdentity(now);
  const both = [...later].flatMap(([identity, entity]): ChangedEntity[] => {
    const old = earlier.get(identity);
    return old ? [{ before: old, now: entity, fields: fieldsThatDiffer(old, entity) }] : [];
  });
  return {
    added: [...later].filter(([identity]) => !earlier.has(identity)).map(([, entity]) => entity),
    removed: [...earlier].filter(([identity]) => !later.has(identity)).map(([, entity]) => entity),
    rated: both.filter((each) => each.before.rating !== each.now.rating),
    renamed: both.filter((each) => each.before.name !== each.now.name),
    changed: both.filter(({ fields }) => fields.length > 0),
  };
}

/** A super panel may hold one gene from several panels: each is an entity of its own. */
const byIdentity = ({ entities }: VersionState): ReadonlyMap<string, StateEntity> =>
  new Map(entities.map((entity) => [`${identityOf(entity)} ${entity.child?.id ?? ''}`, entity]));

function fieldsThatDiffer(before: StateEntity, now: StateEntity): readonly string[] {
  return Object.entries(fieldWords).flatMap(([field, words]) => {
    const [old, present] = [before, now].map((entity) => valueText(entity[field as keyof StateEntity]));
    return old === undefined || present === undefined || old === present ? [] : [words];
  });
}

/** Lists have no order of their own. */
function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? JSON.stringify(value.map(String).sort()) : String(value ?? '');
}
