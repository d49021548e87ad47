import { signedOffBy } from '../../lambdas/classifier/facts-of.ts';
import { isRCode } from '../../lambdas/events/r-codes.ts';
import type { KnownPanel, ListedPanel, ListedRegion, Snapshot } from '../../lambdas/reconcile/listed.ts';

/** The listing of one catalogue that its last sweep stored. */
export interface StoredListing {
  /** The catalogue's configured name. */
  readonly catalogue: string;
  readonly snapshot: Snapshot;
}

/** A value that differs, in the order of the catalogues; null where a catalogue does not state it. */
export interface ComparedField {
  readonly field: string;
  readonly values: readonly [string | null, string | null];
}

/** A panel as a comparison names it. */
export interface ComparedPanel {
  readonly id: number;
  readonly name: string;
  readonly version: string;
  readonly codes: readonly string[];
}

/** Two panels of the same name, or for the same test. */
export interface PanelPair {
  readonly panels: readonly [ComparedPanel, ComparedPanel];
  /** R codes that both state. */
  readonly codes: readonly string[];
  readonly sameName: boolean;
  readonly differences: readonly ComparedField[];
}

/** A region that both catalogues list under one name, on any panels. */
interface RegionPair {
  readonly name: string;
  readonly differences: readonly ComparedField[];
}

/** The panels and regions of two catalogues, side by side. */
export interface Comparison {
  readonly catalogues: readonly [ComparedCatalogue, ComparedCatalogue];
  readonly panels: readonly PanelPair[];
  readonly regions: readonly RegionPair[];
}

/** One of the two catalogues, as it was read. */
export interface ComparedCatalogue {
  readonly name: string;
  /** When its listings were read, in milliseconds since the epoch. */
  readonly listedAt: number;
  readonly panels: number;
  readonly regions: number;
  /** What the other catalogue has no match for. */
  readonly onlyHere: { readonly panels: readonly ComparedPanel[]; readonly regions: readonly string[] };
}

/**
 * The panels and regions of two catalogues side by side. Panels of one name, in any letter case, are a pair; where one
 * of two panels has no namesake, they are a pair by an R code that both state, and a panel can be in several. Regions
 * match by their name. Versions are not compared: each catalogue has its own.
 */
export function compareCatalogues(one: StoredListing, other: StoredListing): Comparison {
  const first = listedIn(one.snapshot);
  const second = listedIn(other.snapshot);
  const panels = pairsOf(first, second);
  const [ofFirst, ofSecond] = [regionsOf(first), regionsOf(second)];
  const regions = [...ofFirst].flatMap(([name, held]): readonly RegionPair[] => {
    const candidate = ofSecond.get(name);
    return candidate ? [{ name, differences: differing(regionFields(held), regionFields(candidate)) }] : [];
  });
  const matched = [0, 1].map((side) => new Set(panels.map((pair) => pair.panels[side]?.id)));
  const catalogueOf = (
    { catalogue, snapshot }: StoredListing,
    [listed, own, others, paired]: readonly [Listed, Regions, Regions, ReadonlySet<number | undefined>],
  ): ComparedCatalogue => ({
    name: catalogue,
    listedAt: snapshot.listedAt,
    panels: listed.length,
    regions: own.size,
    onlyHere: {
      panels: listed.filter(({ panel }) => !paired.has(panel.id)).map(({ panel }) => named(panel)),
      regions: [...own.keys()].filter((name) => !others.has(name)),
    },
  });
  return {
    catalogues: [
      catalogueOf(one, [first, ofFirst, ofSecond, matched[0] ?? new Set()]),
      catalogueOf(other, [second, ofSecond, ofFirst, matched[1] ?? new Set()]),
    ],
    panels,
    regions,
  };
}

type Listed = readonly KnownPanel[];

function pairsOf(first: Listed, second: Listed): readonly PanelPair[] {
  const [namesOfFirst, namesOfSecond] = [first, second].map(
    (listed) => new Set(listed.map(({ panel }) => nameKey(panel.name))),
  );
  return first.flatMap(({ panel }) =>
    second.flatMap(({ panel: candidate }): readonly PanelPair[] => {
      const [name, candidateName] = [nameKey(panel.name), nameKey(candidate.name)];
      const codes = codesOf(panel).filter((code) => codesOf(candidate).includes(code));
      const sameName = name === candidateName;
      // Two panels that both have a namesake are not paired by a code.
      const haveNamesakes = namesOfSecond?.has(name) && namesOfFirst?.has(candidateName);
      if (!sameName && (codes.length === 0 || haveNamesakes)) return [];
      const differences = differing(panelFields(panel), panelFields(candidate));
      return [{ panels: [named(panel), named(candidate)], codes, sameName, differences }];
    }),
  );
}

/** The panels of a listing that are listed now, by name. */
const listedIn = ({ panels }: Snapshot): Listed =>
  [...panels.values()]
    .filter(({ lastListedAt }) => lastListedAt === undefined)
    .toSorted((one, other) => one.panel.name.localeCompare(other.panel.name, 'en'));

const nameKey = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** The codes of a test directory among the disorders of a panel. */
const codesOf = ({ relevantDisorders }: ListedPanel): readonly string[] =>
  relevantDisorders.map((text) => text.trim()).filter(isRCode);

const named = (panel: ListedPanel): ComparedPanel => ({
  id: panel.id,
  name: panel.name,
  version: panel.version,
  codes: codesOf(panel),
});

type Fields = readonly (readonly [field: string, value: string | null])[];

function panelFields(panel: ListedPanel): Fields {
  const { types, genes, strs, regions } = panel;
  return [
    ['name', panel.name],
    ['signed off', signedOffBy(types.map(({ slug }) => slug)) ? 'yes' : 'no'],
    ['types', list(types.filter(({ slug }) => !signedOffBy([slug])).map(({ name }) => name))],
    ['disease group', panel.diseaseGroup || null],
    ['disease subgroup', panel.diseaseSubGroup || null],
    ['disorders', list(panel.relevantDisorders)],
    ['genes', numeral(genes)],
    ['STRs', numeral(strs)],
    ['regions', numeral(regions)],
  ];
}

/** A region on each of the panels that hold it. */
type HeldRegion = readonly { readonly region: ListedRegion; readonly panel: string }[];
type Regions = ReadonlyMap<string, HeldRegion>;

function regionsOf(panels: Listed): Regions {
  const held = panels.flatMap(({ panel, regions }) =>
    regions.map((region) => ({ region, panel: panel.name })),
  );
  return new Map(
    [...Map.groupBy(held, ({ region }) => region.name)].toSorted(([one], [other]) =>
      one.localeCompare(other, 'en'),
    ),
  );
}

/** What a catalogue states of a region; several values where its panels differ. */
function regionFields(held: HeldRegion): Fields {
  const stated = (read: (region: ListedRegion) => string | null): string | null =>
    list(
      held.flatMap(({ region }) => read(region) ?? []),
      '; ',
    );
  return [
    ['coordinates GRCh37', stated(({ chromosome, grch37 }) => coordinates(chromosome, grch37))],
    ['coordinates GRCh38', stated(({ chromosome, grch38 }) => coordinates(chromosome, grch38))],
    ['variant type', stated(({ variantType }) => variantType)],
    ['required overlap', stated(({ requiredOverlap }) => numeral(requiredOverlap))],
    ['haploinsufficiency', stated(({ haploinsufficiency }) => haploinsufficiency || null)],
    ['triplosensitivity', stated(({ triplosensitivity }) => triplosensitivity || null)],
    ['mode of inheritance', stated(({ modeOfInheritance }) => modeOfInheritance || null)],
    ['tags', list(held.flatMap(({ region }) => region.tags))],
    ['rating', stated(ratingOf)],
    ['panels', list(held.map(({ region, panel }) => `${panel} (${ratingOf(region)})`))],
  ];
}

function differing(one: Fields, other: Fields): readonly ComparedField[] {
  return one.flatMap(([field, value], index) => {
    const counterpart = other[index]?.[1] ?? null;
    return value === counterpart ? [] : [{ field, values: [value, counterpart] as const }];
  });
}

const ratingOf = ({ rating }: ListedRegion): string => (rating === 'none' ? 'unrated' : rating);

const coordinates = (chromosome: string | null, range: ListedRegion['grch38']): string | null =>
  range && `${chromosome ?? '?'}:${range.join('-')}`;

const numeral = (value: number | null): string | null => (value === null ? null : String(value));

const list = (values: readonly string[], separator = ', '): string | null =>
  values.length === 0 ? null : [...new Set(values)].toSorted().join(separator);
