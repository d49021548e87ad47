import { contentHash } from '../../lambdas/panels/state-from-detail.ts';
import type { StateEntity, VersionState } from '../../lambdas/panels/version-state.ts';
import { type Instant, parseInstant } from '../../lambdas/run/instant.ts';

/** A gene as the catalogue serves it with every field. */
export function madeUpGene(name: string, given: Partial<StateEntity> = {}): StateEntity {
  return {
    type: 'gene',
    name,
    hgncId: `HGNC:${[...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 50_000}`,
    ensemblIds: { GRCh37: null, GRCh38: 'ENSG00000012048' },
    omimIds: ['113705'],
    locations: { GRCh37: '17:41196312-41277500', GRCh38: '17:43044295-43170245' },
    rating: 'green',
    tags: [],
    evidence: ['Expert Review Green'],
    phenotypes: ['Deafness, autosomal recessive 1A, 220290'],
    publications: [],
    modeOfInheritance: 'BIALLELIC, autosomal or pseudoautosomal',
    modeOfPathogenicity: null,
    penetrance: null,
    child: null,
    ...given,
  };
}

/** The instant of a day and time. */
export const at = (time: string): Instant => parseInstant(`${time}Z`) ?? 0n;

/** A state of a panel, valid from 1 March 2026 unless stated. */
export function madeUpState(given: Partial<VersionState> = {}): VersionState {
  const entities = given.entities ?? [madeUpGene('GJB2')];
  return {
    panelId: 3,
    panelName: 'Hearing loss',
    hashId: null,
    status: 'public',
    types: ['rare-disease'],
    relevantDisorders: ['R67'],
    childPanels: [],
    version: '1.4',
    whole: ['gene', 'str', 'region'],
    validFrom: at('2026-03-01T10:00:00.000001'),
    validTo: null,
    source: 'present',
    readAt: at('2026-03-02T00:00:00'),
    sha256: contentHash(entities),
    entityCount: entities.length,
    greenCount: entities.filter(({ rating }) => rating === 'green').length,
    proof: { kind: 'baseline' },
    ...given,
    entities,
  };
}
