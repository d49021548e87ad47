import type { StateEntity, VersionState } from '../panels/version-state.ts';
import { formatInstant } from '../run/instant.ts';
import { onOneLine } from '../run/unprintable.ts';

/** A state with the name of its catalogue. */
export interface NamedState {
  readonly catalogue: string;
  readonly state: VersionState;
}

/** The genome builds of which the catalogue gives locations. */
export const assemblies = ['GRCh37', 'GRCh38'] as const;
type Assembly = (typeof assemblies)[number];

/** The green entities of states as BED (https://samtools.github.io/hts-specs/BEDv1.pdf). */
interface StateBed {
  readonly text: string;
  /** Names of green entities whose location the catalogue does not give: the text names them in its header. */
  readonly unplaced: readonly string[];
}

interface Place {
  readonly chromosome: string;
  /** Counted from 0. */
  readonly start: number;
  /** Not included. */
  readonly end: number;
  readonly name: string;
}

/** The places of green entities, in the order of the genome. Lines that begin with "#" say what was listed. */
export function stateBed(states: readonly NamedState[], assembly: Assembly): StateBed {
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
  return { text: [...header, ...lines, ''].join('\n'), unplaced };
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
