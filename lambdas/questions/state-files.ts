import type { StateEntity, VersionState } from '../panels/version-state.ts';
import { formatInstant } from '../run/instant.ts';
import { counted, firstOf, onOneLine } from '../run/text.ts';
import { tsvLine } from '../words/clean-text.ts';
import type { WrittenFile } from './question.ts';

const MOST_NAMED = 20;

const greenGenes = ({ state }: NamedState): readonly StateEntity[] =>
  state.entities.filter(({ rating, type }) => rating === 'green' && type === 'gene');

/** A gene panel as Scout loads one. It knows genes by their HGNC numbers. Source: docs/panel-states.md, "Choose a format". */
export function scoutPanel(states: readonly NamedState[]): WrittenFile {
  const [only, ...others] = states;
  if (!only) return { text: '', notes: ['The file is empty: the answer has no gene, STR or region.'] };
  if (others.length > 0)
    return {
      text: '',
      notes: [`The file is empty: Scout loads one panel from a file, and the answer has ${states.length}.`],
    };
  const { state } = only;
  const genes = new Map<string, { readonly name: string; readonly models: Set<string> }>();
  const unnumbered: string[] = [];
  for (const { name, hgncId, modeOfInheritance } of greenGenes(only)) {
    const [, number] = /^HGNC:([1-9]\d*)$/.exec(hgncId ?? '') ?? [];
    if (number === undefined) {
      unnumbered.push(name);
      continue;
    }
    // A super panel may hold a gene several times.
    const gene = genes.get(number) ?? { name, models: new Set() };
    for (const model of modelsOf(modeOfInheritance)) gene.models.add(model);
    genes.set(number, gene);
  }
  const lines = [
    `##panel_id=panel-${state.panelId}`,
    `##version=${state.version}`,
    `##date=${formatInstant(state.validFrom).slice(0, 10)}`,
    `##display_name=${onOneLine(state.panelName)}`,
    '#hgnc_id\thgnc_symbol\tinheritance_models',
    ...[...genes].map(
      ([number, { name, models }]) => `${number}\t${onOneLine(name)}\t${[...models].join(',')}`,
    ),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    notes: [
      ...(genes.size === 0 ? ['The file has no gene: none with an HGNC id is green.'] : []),
      ...leftOut(unnumbered, 'no HGNC id'),
      ...readAsNumbers('Scout reads', states),
      ...(Number(state.version) === 0 ? ['Scout loads the version 0.0 as 1.0.'] : []),
    ],
  };
}

/** The numbers that the catalogue writes for ratings; those without a rating are in none of its files. */
const confidence = { green: '3', amber: '2', red: '1' } as const;
const confidenceOf = ({ rating }: StateEntity): string | undefined =>
  rating === null || rating === 'none' ? undefined : confidence[rating];

/**
 * Panels as Scout reads them from `panelapp_panels.jsonl`, one a line as the catalogue answers where a panel is asked for, with the fields
 * that Scout takes.
 */
export function scoutPanels(states: readonly NamedState[]): WrittenFile {
  const [one, other] = new Set(states.map(({ catalogue }) => catalogue));
  if (other !== undefined)
    return {
      text: '',
      notes: [
        `The file is empty: Scout knows panels by number, and ${one} and ${other} number their own. Name one.`,
      ],
    };
  const unnumbered: string[] = [];
  const lines = states.map(({ state }) => {
    const rated = state.entities.filter((entity) => entity.type === 'gene' && confidenceOf(entity));
    unnumbered.push(...rated.filter(({ hgncId }) => hgncId === null).map(({ name }) => name));
    const panel = {
      id: state.panelId,
      hash_id: state.hashId,
      name: state.panelName,
      status: state.status,
      version: state.version,
      version_created: formatInstant(state.validFrom),
      relevant_disorders: state.relevantDisorders,
      types: state.types.map((slug) => ({ slug })),
      genes: rated
        .filter(({ hgncId }) => hgncId !== null)
        .map((entity) => ({
          entity_type: 'gene',
          entity_name: entity.name,
          confidence_level: confidenceOf(entity),
          penetrance: entity.penetrance ?? null,
          mode_of_inheritance: entity.modeOfInheritance ?? null,
          gene_data: { gene_symbol: entity.name, hgnc_id: entity.hgncId },
        })),
    };
    return `${JSON.stringify(panel)}\n`;
  });
  return {
    text: lines.join(''),
    notes: [...leftOut(unnumbered, 'no HGNC id', 'Genes'), ...readAsNumbers('Scout reads', states)],
  };
}

/** Panels as the catalogue's own page of a panel offers them for download: one line an entity that has a rating. */
export function catalogueTable(states: readonly NamedState[]): WrittenFile {
  const unrated = states.flatMap(({ state }) => state.entities.filter((entity) => !confidenceOf(entity)));
  const rated = states.flatMap(({ state }) =>
    (['gene', 'str', 'region'] as const).flatMap((type) =>
      state.entities
        .filter((entity) => entity.type === type && confidenceOf(entity))
        .map((entity) => ({ state, entity })),
    ),
  );
  const lines = rated.map((row) => tsvLine(Object.values(tableColumns).map((cell) => cell(row))));
  return {
    text: [tsvLine(Object.keys(tableColumns)), ...lines].join(''),
    notes: [
      ...leftOut(
        unrated.map(({ name }) => name),
        'no rating',
        'Entities',
      ),
      ...readAsNumbers('A program may read', states),
    ],
  };
}

interface TableRow {
  readonly state: VersionState;
  readonly entity: StateEntity;
}
type Cell = (row: TableRow) => string | null | undefined;

const several =
  (field: 'evidence' | 'phenotypes' | 'omimIds' | 'publications'): Cell =>
  ({ entity }) =>
    entity[field]?.filter((text) => text !== '').join(';');
const plain =
  (
    field: {
      [Field in keyof StateEntity]-?: string | null extends StateEntity[Field] ? Field : never;
    }[keyof StateEntity],
  ): Cell =>
  ({ entity }) =>
    entity[field] as string | null | undefined;
const notKept: Cell = () => '';

/** A part of a location, 1 the chromosome; genes have none in this file. */
const placed =
  (build: 'GRCh37' | 'GRCh38', part: 1 | 2 | 3): Cell =>
  ({ entity: { type, locations } }) =>
    type === 'gene' ? '' : /^(.+):(\d+)-(\d+)$/.exec(locations[build] ?? '')?.[part];

/** The columns of the catalogue's download, in its order. */
const tableColumns: Readonly<Record<string, Cell>> = {
  'Entity Name': ({ entity }) => entity.name,
  'Entity type': ({ entity }) => entity.type,
  'Gene Symbol': ({ entity }) => (entity.type === 'gene' ? entity.name : ''),
  'Sources(; separated)': several('evidence'),
  Level4: ({ state }) => state.panelName,
  Level3: notKept,
  Level2: notKept,
  Model_Of_Inheritance: plain('modeOfInheritance'),
  Phenotypes: several('phenotypes'),
  Omim: several('omimIds'),
  Orphanet: notKept,
  HPO: notKept,
  Publications: several('publications'),
  Description: notKept,
  Flagged: notKept,
  GEL_Status: ({ entity }) => confidenceOf(entity),
  UserRatings_Green_amber_red: notKept,
  version: ({ state }) => state.version,
  ready: notKept,
  'Mode of pathogenicity': ({ entity }) => (entity.type === 'gene' ? entity.modeOfPathogenicity : ''),
  'EnsemblId(GRch37)': ({ entity }) => entity.ensemblIds.GRCh37,
  'EnsemblId(GRch38)': ({ entity }) => entity.ensemblIds.GRCh38,
  HGNC: plain('hgncId'),
  'Position Chromosome': (row) =>
    row.entity.chromosome ?? placed('GRCh38', 1)(row) ?? placed('GRCh37', 1)(row),
  'Position GRCh37 Start': placed('GRCh37', 2),
  'Position GRCh37 End': placed('GRCh37', 3),
  'Position GRCh38 Start': placed('GRCh38', 2),
  'Position GRCh38 End': placed('GRCh38', 3),
  'STR Repeated Sequence': plain('repeatedSequence'),
  'STR Normal Repeats': plain('normalRepeats'),
  'STR Pathogenic Repeats': plain('pathogenicRepeats'),
  'Region Haploinsufficiency Score': plain('haploinsufficiency'),
  'Region Triplosensitivity Score': plain('triplosensitivity'),
  'Region Required Overlap Percentage': plain('requiredOverlap'),
  'Region Variant Type': plain('variantType'),
  'Region Verbose Name': plain('verboseName'),
};

/** A list of genes as seqr takes one: Ensembl ids of GRCh38, which no change of a symbol touches. */
export function seqrGenes(states: readonly NamedState[]): WrittenFile {
  const green = states.flatMap(greenGenes);
  const ids = new Set(green.flatMap(({ ensemblIds }) => ensemblIds.GRCh38 ?? []));
  const without = green.filter(({ ensemblIds }) => ensemblIds.GRCh38 === null).map(({ name }) => name);
  return {
    text: [...ids].map((id) => `${id}\n`).join(''),
    notes: leftOut(without, 'no Ensembl id of GRCh38'),
  };
}

/** What a program makes of versions such as 1.10 that it takes for numbers. */
function readAsNumbers(reader: string, states: readonly NamedState[]): readonly string[] {
  const changed = states.filter(({ state: { version } }) => /\.[1-9]\d*0$/.test(version));
  const [first, ...more] = changed.map(({ state: { version } }) => `${version} is ${Number(version)} there`);
  if (first === undefined) return [];
  const others = more.length > 0 ? `, and so with ${counted(more.length, 'more panel')}` : '';
  return [`${reader} the version as a number: ${first}${others}.`];
}

function leftOut(names: readonly string[], lack: string, what = 'Green genes'): readonly string[] {
  const own = [...new Set(names)].sort();
  if (own.length === 0) return [];
  return [`${what} that have ${lack} are not in the file: ${firstOf(own, MOST_NAMED)}.`];
}

/** The models of a mode of inheritance, by the words with which the catalogue begins its fixed list. */
function modelsOf(mode: string | null | undefined): readonly string[] {
  const text = mode ?? '';
  if (/^BOTH/i.test(text)) return ['AD', 'AR'];
  if (/^MONOALLELIC/i.test(text)) return ['AD'];
  if (/^BIALLELIC/i.test(text)) return ['AR'];
  if (/^X-LINKED.*\bbiallelic/i.test(text)) return ['XR'];
  if (/^X-LINKED.*\bmonoallelic/i.test(text)) return ['XD'];
  return /^MITOCHONDRIAL/i.test(text) ? ['MT'] : [];
}

/** A state with the name of its catalogue. */
export interface NamedState {
  readonly catalogue: string;
  readonly state: VersionState;
}

/** The genome builds of which the catalogue gives locations. */
export const assemblies = ['GRCh37', 'GRCh38'] as const;
type Assembly = (typeof assemblies)[number];

interface Place {
  readonly chromosome: string;
  /** Counted from 0. */
  readonly start: number;
  /** Not included. */
  readonly end: number;
  readonly name: string;
}

/** The places of green entities, in the order of the genome. Lines that begin with "#" say what was listed. */
export function stateBed(states: readonly NamedState[], assembly: Assembly) {
  const green = states.flatMap(({ state }) => state.entities.filter(({ rating }) => rating === 'green'));
  const placed = green.map((entity) => ({ entity, place: placeOf(entity, assembly) }));
  const unplaced = [...new Set(placed.flatMap(({ entity, place }) => (place ? [] : [entity.name])))].sort();
  const places = placed.flatMap(({ place }) => (place ? [place] : [])).toSorted(inGenomeOrder);
  const lines = [...new Set(places.map((place) => lineOf(place)))];
  const header = [
    ...states.flatMap((state) => headerOf(state)),
    `# assembly: ${assembly}; green genes, STRs and regions; positions from 0, ends not included`,
    ...(unplaced.length > 0
      ? [`# without a location in ${assembly}: ${unplaced.map(onOneLine).join(', ')}`]
      : []),
  ];
  return {
    text: [...header, ...lines, ''].join('\n'),
    /** Names of green entities whose location the catalogue does not give: the text names them in its header. */
    unplaced,
  };
}

function headerOf({ catalogue, state }: NamedState): readonly string[] {
  const { panelId, panelName, version, source, readAt, sha256 } = state;
  return [
    `# panel: ${onOneLine(panelName)} (${panelId}), version ${version}, of ${onOneLine(catalogue)}`,
    `# source: ${source}, read at ${formatInstant(readAt)}; SHA-256 ${sha256}`,
  ];
}

/** The catalogue counts from 1 and includes the end. */
function placeOf({ name, locations }: StateEntity, assembly: Assembly): Place | null {
  const [, chromosome, start, end] = /^(\w+):(\d+)-(\d+)$/.exec(locations[assembly] ?? '') ?? [];
  if (chromosome === undefined || Number(start) < 1 || Number(end) < Number(start)) return null;
  return {
    chromosome: chromosomeName(chromosome),
    start: Number(start) - 1,
    end: Number(end),
    name: onOneLine(name),
  };
}

/** `chr11`, `chrM`, as genome browsers write them. */
function chromosomeName(chromosome: string): string {
  if (chromosome === 'MT') return 'chrM';
  return chromosome.startsWith('chr') ? chromosome : `chr${chromosome}`;
}

const lineOf = ({ chromosome, start, end, name }: Place): string => [chromosome, start, end, name].join('\t');

function inGenomeOrder(one: Place, other: Place): number {
  return (
    rankOf(one.chromosome) - rankOf(other.chromosome) ||
    one.start - other.start ||
    one.end - other.end ||
    (one.name < other.name ? -1 : 1)
  );
}

const named = ['chrX', 'chrY', 'chrM'];

function rankOf(chromosome: string): number {
  const number = Number(chromosome.slice(3));
  return Number.isInteger(number) ? number : 100 + named.indexOf(chromosome);
}
