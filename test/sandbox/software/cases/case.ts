import type { EventKindName } from '../../../../lambdas/events/changes.ts';
import type { EditSession, Outcome } from '../../../../sandbox/software/recording.ts';
import type { CodeLine, Entity, Panel } from '../../../../sandbox/software/state.ts';
import type { EntityType } from '../../../../sandbox/software/values.ts';
import { readRowText } from '../oracle/read-row-text.ts';

/** What is published of an action: type, change, and the entity where it is not the case's own. */
type UnpairedRow = readonly [
  type: EventKindName,
  change?: Readonly<Record<string, unknown>>,
  entity?: { readonly type: EntityType; readonly name: string } | null,
];

/** An action with the texts that it writes, copied by hand from the page of wordings, and what they state. */
export interface Case {
  readonly name: string;
  readonly codeLine?: CodeLine;
  readonly entity: Entity;
  readonly act: (session: EditSession, entity: Entity) => Outcome;
  /** Oldest first. */
  readonly texts: readonly string[];
  readonly published: readonly UnpairedRow[];
}

export function anEntity(type: EntityType, name: string, fields: Partial<Entity> = {}): Entity {
  return {
    type,
    name,
    rating: 'amber',
    statedRating: null,
    sources: [],
    tags: [],
    modeOfInheritance: 'Unknown',
    modeOfPathogenicity: null,
    phenotypes: [],
    publications: [],
    penetrance: null,
    transcript: null,
    linkedGene: null,
    verboseName: 'old verbose',
    chromosome: '1',
    grch37: null,
    grch38: null,
    sequence: 'CAG',
    normalRepeats: '20',
    pathogenicRepeats: '40',
    variantType: 'cnv_loss',
    haploinsufficiency: null,
    triplosensitivity: '',
    requiredOverlap: 60,
    ready: false,
    reviewers: [],
    comments: [],
    ...fields,
  };
}

export const aGene = (fields: Partial<Entity> = {}, name = 'BRCA1'): Entity => anEntity('gene', name, fields);
export const anStr = (fields: Partial<Entity> = {}): Entity => anEntity('str', 'HTT_CAG', fields);
export const aRegion = (fields: Partial<Entity> = {}): Entity =>
  anEntity('region', 'ISCA-37390-Loss', fields);

export function aPanel(fields: Partial<Panel> = {}): Panel {
  return {
    id: 7,
    name: 'Hearing loss',
    description: '',
    status: 'public',
    major: 1,
    minor: 4,
    versionCreated: 0,
    types: [],
    diseaseGroup: '',
    diseaseSubGroup: '',
    relevantDisorders: [],
    hpoTerms: [],
    childPanels: [],
    signOffs: [],
    entities: [],
    ...fields,
  };
}

export function aSession(fields: Partial<EditSession> = {}): EditSession {
  return {
    codeLine: 'au',
    panel: aPanel(),
    person: { name: 'Ana Lee', curator: true },
    at: Date.UTC(2023, 10, 17) * 1000,
    gap: () => 3000,
    readText: readRowText,
    ...fields,
  };
}
