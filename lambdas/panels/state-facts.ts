import type { EntityFacts, Shown, ShownEntity, ShownPanel } from '../differences/shown.ts';
import type { StateFacts } from '../events/envelope.ts';
import type { EntityIds, SignedOffVersion } from '../events/schemas.ts';
import { nameKey } from '../filters/names.ts';
import type { Instant } from '../run/instant.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { signedOffAt } from './signed-off-at.ts';
import type { SignOff, StateEntity, VersionState } from './version-state.ts';

/**
 * The entities of a panel at a version, as they are compared. The facts of the panel itself are left to the listings,
 * which show all of them.
 */
export function shownState({ entities, whole }: Pick<VersionState, 'entities' | 'whole'>): ShownPanel {
  return { facts: {}, whole, entities: entities.map(shownEntity) };
}

function shownEntity(entity: StateEntity): ShownEntity {
  const { type, name, hgncId, ensemblIds, omimIds, child } = entity;
  return {
    type,
    name,
    // An STR or region may be linked to another gene, and stays what it is.
    ...(type === 'gene' && hgncId !== null && { hgncId }),
    ...(ensemblIds.GRCh38 !== null && { ensemblId: ensemblIds.GRCh38 }),
    ...(omimIds.length > 0 && { omimIds }),
    ...(child && { ofPanel: child.id }),
    facts: factsOf(entity),
  };
}

function factsOf(entity: StateEntity): Shown<EntityFacts> {
  const { type, rating, evidence, locations } = entity;
  // A gene lies where Ensembl says, not where a curator does.
  const place = (build: 'GRCh37' | 'GRCh38'): string | null | undefined =>
    type === 'gene' ? undefined : (locations[build]?.split(':').at(-1) ?? null);
  return {
    rating: rating ?? undefined,
    tags: entity.tags,
    sources: evidence,
    modeOfInheritance: entity.modeOfInheritance,
    modeOfPathogenicity: entity.modeOfPathogenicity,
    penetrance: entity.penetrance,
    phenotypes: entity.phenotypes,
    publications: entity.publications,
    transcript: entity.transcript,
    gene: undefined,
    verboseName: entity.verboseName,
    chromosome: type === 'gene' ? undefined : entity.chromosome,
    grch37: place('GRCh37'),
    grch38: place('GRCh38'),
    repeatedSequence: entity.repeatedSequence,
    normalRepeats: entity.normalRepeats,
    pathogenicRepeats: entity.pathogenicRepeats,
    haploinsufficiency: entity.haploinsufficiency,
    triplosensitivity: entity.triplosensitivity,
    requiredOverlap: entity.requiredOverlap,
    variantType: entity.variantType,
  };
}

interface PanelFacts {
  readonly ids: ReadonlyMap<string, EntityIds>;
  signOffs: readonly SignOff[] | undefined;
}

/**
 * Reads what events say of the ids of entities and of signed-off versions: each panel's newest state once, whose ids are kept for the
 * run.
 */
export function createStateFacts(states: Pick<PanelStateStore, 'newest' | 'signOffs'>) {
  const known = new Map<number, PanelFacts>();
  return {
    /** The facts of panels; what is not kept of one is unknown. */
    async of(panelIds: Iterable<number>): Promise<StateFacts> {
      for (const id of panelIds) {
        const facts = known.get(id) ?? {
          ids: idsIn((await states.newest(id))?.entities ?? []),
          signOffs: undefined,
        };
        facts.signOffs ??= await states.signOffs(id);
        known.set(id, facts);
      }
      return {
        idsOf: (panelId, { type, name }) => known.get(panelId)?.ids.get(keyOf(type, name)),
        signedOffOf: (panelId, at) => signedOffVersion(known.get(panelId)?.signOffs ?? [], at),
      };
    },
    /** Forgets what it knows of the panels' sign-offs, because they changed. */
    forgetSignOffs(): void {
      for (const facts of known.values()) facts.signOffs = undefined;
    },
  };
}

/** What two states of one panel, one after the other, say of the entities of either. */
export function factsOfStates(
  states: readonly { readonly entities: readonly StateEntity[] }[],
  signOffs: readonly SignOff[],
): StateFacts {
  const ids = idsIn(states.flatMap(({ entities }) => entities));
  return {
    idsOf: (_panelId, { type, name }) => ids.get(keyOf(type, name)),
    signedOffOf: (_panelId, at) => signedOffVersion(signOffs, at),
  };
}

const keyOf = (type: string, name: string): string => `${type}:${nameKey(name)}`;

function idsIn(entities: readonly StateEntity[]): ReadonlyMap<string, EntityIds> {
  return new Map(
    entities.map(({ type, name, hgncId, ensemblIds, omimIds }) => [
      keyOf(type, name),
      {
        ...(hgncId !== null && { hgncId }),
        ...(ensemblIds.GRCh38 !== null && { ensemblId: ensemblIds.GRCh38 }),
        ...(omimIds.length > 0 && { omimIds: [...omimIds] }),
      },
    ]),
  );
}

function signedOffVersion(signOffs: readonly SignOff[], at: Instant): SignedOffVersion | undefined {
  const signOff = signedOffAt(signOffs, at);
  return signOff ? { signedOffVersion: signOff.version, signedOffDate: signOff.date } : undefined;
}
