import {
  type CataloguePlace,
  type ComparedPair,
  comparePairs,
  type Disagreement,
  inheritanceOf,
  pairsOfCatalogues,
} from '../panels/compare-catalogues.ts';
import type { FoundSide } from '../panels/compare-panels.ts';
import {
  type PairablePanel,
  PairsFileError,
  type PanelPair,
  pairsInFile,
  sureness,
} from '../panels/panel-pairs.ts';
import { counted, firstOf } from '../run/text.ts';
import { namesIn } from '../store/history/unknown-names.ts';
import { cleanLine } from '../words/clean-text.ts';
import { type Phrase, phrase } from '../words/phrase.ts';
import {
  type AskedComparison,
  type ComparedRow,
  countsOf,
  headingsOf,
  listsOf,
  onlyIn,
  rowFilter,
  unknownGenes,
} from './compare-rows.ts';
import { findPanels } from './find-panels.ts';
import { OptionError } from './options.ts';
import { type Answer, type Limit, limitsOf, type Place } from './question.ts';

/** Where catalogues disagree: each two of those that are named, panel by panel. */
export async function answerCatalogues(
  catalogues: readonly string[],
  asked: AskedComparison,
  place: Place,
): Promise<Answer<ComparedRow>> {
  const panels = await findPanels(asked, { ...place, catalogues });
  const names = await namesIn(place);
  const comparing = { asked, place, panels, names, listings: await place.listings() };
  const found: FoundOfTwo[] = [];
  for (const [at, one] of catalogues.entries())
    for (const other of catalogues.slice(at + 1)) found.push(await findOfTwo([one, other], comparing));
  const rows = found.flatMap((each) => each.rows);
  const limits = [...panels.limits, ...found.flatMap((each) => each.limits)];
  if (asked['propose-pairs']) {
    const lists = sureness.map((sure) => ({
      what: `${sure} pairs`,
      rows: rows.filter(({ pair }) => pair?.sure === sure),
    }));
    return { lead: [], lists, limits, headings: { panel: 'Panels', because: 'Because' } };
  }
  const isSeveral = found.length > 1;
  return {
    lead: found.flatMap(({ lead }) => lead),
    lists: found.flatMap(({ two, ...own }) => {
      const lists = listsOf(own, [`in ${two[0]}`, `in ${two[1]}`], asked);
      return isSeveral
        ? lists.map((list) => ({ ...list, what: `${two.join(' and ')}: ${list.what}` }))
        : lists;
    }),
    limits: [...(await unknownGenes(asked, rows.length, place)), ...limits],
    headings: {
      // Of three catalogues, what is first in one line may be second in another one.
      ...headingsOf(
        asked,
        isSeveral ? ['in the first', 'in the second'] : [`in ${catalogues[0]}`, `in ${catalogues[1]}`],
      ),
      ...(asked.by === 'gene' && { firstWrote: 'Said last', secondWrote: 'Said last there' }),
    },
  };
}

type Two = readonly [string, string];
interface Panels {
  readonly two: Two;
  readonly panels: readonly [readonly PairablePanel[], readonly PairablePanel[]];
}

interface Comparing {
  readonly asked: AskedComparison;
  readonly place: Place;
  readonly panels: Awaited<ReturnType<typeof findPanels>>;
  readonly names: Awaited<ReturnType<typeof namesIn>>;
  readonly listings: Awaited<ReturnType<Place['listings']>>;
}

/** Where two catalogues disagree, or which of their panels may belong together. */
interface FoundOfTwo {
  readonly two: Two;
  readonly lead: readonly Phrase[];
  readonly rows: readonly ComparedRow[];
  /** A row for each pair of panels. */
  readonly summaries: readonly ComparedRow[];
  readonly limits: readonly Limit[];
}

async function findOfTwo(two: Two, comparing: Comparing): Promise<FoundOfTwo> {
  const { asked, place, panels, listings } = comparing;
  const nothing = { two, lead: [], rows: [], summaries: [] };
  const places = [placeOf(two[0], comparing), placeOf(two[1], comparing)] as const;
  const known = await pairsOfCatalogues(...places);
  const unread = known.panels.flatMap((read, side) => unreadPanels(read, listings, two[side] ?? ''));
  // Without what one of them holds, not even how many pairs there are can be said.
  if (unread.some(({ kind }) => kind === 'unread')) return { ...nothing, limits: unread };
  const isProposal = asked['propose-pairs'];
  const file = asked.pairs ?? (isProposal ? null : (place.pairs?.(...two) ?? null));
  const given = file === null ? null : pairsAsked(file, two, known.panels);
  const all = given?.pairs ?? known.pairs;
  const wanted = all.filter(
    (pair) => !panels.asked || pair.panels.some(({ id }, at) => panels.asked?.get(two[at] ?? '')?.has(id)),
  );
  const of = { two, panels: known.panels };
  const limits = [...unread, ...(given?.limits ?? [])];
  if (isProposal) {
    const rows = wanted.map((pair) => pairRow(pair, { ...of, place }));
    return { ...nothing, rows, limits: [...limits, ...withoutPair(all, of)] };
  }
  const perhaps = wanted.filter(({ sure }) => sure === 'perhaps');
  const compared = await compareOfTwo(
    comparePairs(
      wanted.filter((pair) => !perhaps.includes(pair)),
      ...places,
    ),
    two,
    comparing,
  );
  return {
    ...compared,
    limits: [
      ...limits,
      ...compared.limits,
      ...(panels.asked === null ? withoutPair(all, of, given && known.pairs) : []),
      ...perhapsLimit(perhaps, two),
    ],
  };
}

const placeOf = (catalogue: string, { place, names, listings }: Comparing): CataloguePlace => {
  const listing = listings.find((each) => each.catalogue === catalogue)?.listing;
  return {
    ...{ catalogue, states: place.states(catalogue), history: place.history, now: place.now },
    formerNames: (id) => names.panel(catalogue, id)?.formerly ?? [],
    listed: listing ? new Set(listing.panels.keys()) : null,
  };
};

async function compareOfTwo(
  compared: ReturnType<typeof comparePairs>,
  two: Two,
  { asked, place, names }: Comparing,
): Promise<FoundOfTwo> {
  const includes = rowFilter(asked, names);
  const only = asked['only-in'];
  const isOnly = only === null || two.includes(only) ? onlyIn(asked, two) : () => false;
  const isLeftOut = ({ inheritance }: ComparedRow) => inheritance === 'not stated' && !asked['not-stated'];
  const rows: ComparedRow[] = [];
  const summaries: ComparedRow[] = [];
  const unstated: ComparedRow[] = [];
  const limits: Limit[] = [];
  let [agreed, pairs] = [0, 0];
  for await (const one of compared) {
    if ('why' in one) {
      limits.push(...limitsOf('unknown', cleanLine(`Not compared: ${one.why}`)));
      continue;
    }
    pairs += 1;
    agreed += one.agreed;
    if (one.uncertain.length > 0) limits.push(...uncertainLimit(one, two));
    const found = one.disagreements
      .map((each) => rowOf(each, one, place))
      .filter(includes)
      .filter(isOnly);
    const own = found.filter((row) => !isLeftOut(row));
    unstated.push(...found.filter(isLeftOut));
    rows.push(...own);
    summaries.push({ ...pairedRow(one.pair, one.sides, place), counts: countsOf(own, one.agreed) });
  }
  const lead = phrase`${counted(pairs, 'pair')} of panels of ${two[0]} and ${two[1]} compared, as they are now: ${String(agreed)} ${agreed === 1 ? 'gene, STR or region is' : 'genes, STRs and regions are'} green in both.`;
  return { two, lead: [lead], rows, summaries, limits: [...limits, ...unstatedLimit(unstated, two)] };
}

function rowOf(
  { entity, kind, sides, since }: Disagreement,
  { pair, sides: found }: ComparedPair,
  place: Place,
): ComparedRow {
  const [first, second] = sides;
  return {
    ...pairedRow(pair, found, place),
    ...{ entity, since, inheritance: inheritanceOf[kind] },
    first: { found: found[0], ...first },
    second: { found: found[1], ...second },
  };
}

const pairedRow = (
  pair: PanelPair,
  [first, second]: readonly [FoundSide, FoundSide],
  { now }: Place,
): ComparedRow => ({
  ...{ entity: null, inheritance: null, since: null, now, pair, counts: null },
  ...{ first: { found: first }, second: { found: second } },
});

function pairRow(pair: PanelPair, { two, panels, place }: Panels & { readonly place: Place }): ComparedRow {
  const [first, second] = two.map((catalogue, side): FoundSide => {
    const summary = panels[side]?.find(({ id }) => id === pair.panels[side]?.id)?.summary;
    if (!summary)
      throw new Error(
        `the panel ${pair.panels[side]?.id} of ${catalogue} is in a pair and not among its panels`,
      );
    return { catalogue, summary, asOf: summary.readAt, isChanged: false, signOff: null, later: null };
  });
  return pairedRow(pair, [first as FoundSide, second as FoundSide], place);
}

function pairsAsked(content: string, two: Two, panels: Panels['panels']) {
  try {
    const { pairs, unread } = pairsInFile(content, two, panels);
    return { pairs, limits: limitsOf('unknown', ...unread) };
  } catch (error) {
    throw error instanceof PairsFileError ? new OptionError(error.seen, error.expected, 'pairs') : error;
  }
}

const MOST_NAMES = 5;
const someOf = (names: readonly string[]): string =>
  firstOf(
    names.map((each) => cleanLine(each)),
    MOST_NAMES,
  );

function unreadPanels(
  read: readonly PairablePanel[],
  listings: Awaited<ReturnType<Place['listings']>>,
  catalogue: string,
): readonly Limit[] {
  if (read.length === 0) return limitsOf('unread', `What panels of ${catalogue} hold has not been read yet.`);
  const known = new Set(read.map(({ id }) => id));
  const listed = listings.find((each) => each.catalogue === catalogue)?.listing.panels ?? new Map();
  const names = [...listed].flatMap(([id, { name = `panel ${id}` }]) =>
    known.has(id) ? [] : [String(name)],
  );
  if (names.length === 0) return [];
  return limitsOf(
    'unknown',
    `What ${counted(names.length, 'panel')} of ${catalogue} ${names.length === 1 ? 'holds' : 'hold'} has not been read yet: ${someOf(names)}.`,
  );
}

/**
 * What no panel of the other catalogue belongs to.
 * @param proposed the pairs that would be found without a file of pairs; null where there is no file
 */
function withoutPair(
  pairs: readonly PanelPair[],
  { two, panels }: Panels,
  proposed: readonly PanelPair[] | null = null,
): readonly Limit[] {
  return two.flatMap((catalogue, side): readonly Limit[] => {
    const idsIn = (all: readonly PanelPair[]) => new Set(all.map((pair) => pair.panels[side]?.id));
    const [paired, mayBePaired] = [idsIn(pairs), idsIn(proposed ?? [])];
    const alone = (panels[side] ?? []).filter(({ id }) => !paired.has(id));
    const note = (isOf: (panel: PairablePanel) => boolean, words: string): string => {
      const names = alone.filter(isOf).map(({ name }) => name);
      return names.length === 0
        ? ''
        : `${counted(names.length, 'panel')} of ${catalogue} ${words}: ${someOf(names)}.`;
    };
    return limitsOf(
      'note',
      note(({ id }) => mayBePaired.has(id), 'left out by the file of pairs'),
      note(({ id }) => !mayBePaired.has(id), `without one of ${two[1 - side]}`),
    );
  });
}

/** Where one states no mode of inheritance, it contradicts none. */
const unstatedLimit = (rows: readonly ComparedRow[], two: Two) =>
  limitsOf(
    'note',
    rows.length === 0
      ? ''
      : `Not listed: ${counted(rows.length, 'mode')} of inheritance that ${two.join(' or ')} does not state: ${someOf(rows.map(({ entity }) => entity?.name ?? ''))}.`,
  );

const perhapsLimit = (pairs: readonly PanelPair[], two: Two) =>
  limitsOf(
    'note',
    pairs.length === 0
      ? ''
      : `${counted(pairs.length, 'pair')} of panels of ${two.join(' and ')} perhaps belong together and were not compared: ${someOf(pairs.map(({ panels: [one, other] }) => `${one.name} / ${other.name}`))}. --propose-pairs lists them, --pairs FILE settles it.`,
  );

function uncertainLimit({ pair, uncertain }: ComparedPair, two: Two): readonly Limit[] {
  const [one, other] = pair.panels;
  const sentence = `${one.name} of ${two[0]}, ${other.name} of ${two[1]}: green in one and unknown in the other: ${uncertain.join(', ')}.`;
  return limitsOf('unknown', cleanLine(sentence));
}
