import { compareVersions, isBeforeVersion, versionNumbers } from '../events/order.ts';
import {
  type ComparedPanel,
  comparePanels,
  type FoundSide,
  isCompared,
  type Side,
  type UncomparedPanel,
} from '../panels/compare-panels.ts';
import { parseInstant } from '../run/instant.ts';
import { counted, naturalOrder } from '../run/text.ts';
import { namesIn } from '../store/history/unknown-names.ts';
import { cleanLine } from '../words/clean-text.ts';
import { proofSentence } from '../words/panel-words.ts';
import { linkPiece, type Phrase, phrase } from '../words/phrase.ts';
import { comparisonLimits, noSignOffKnown } from '../words/sign-off-words.ts';
import { answerCatalogues } from './compare-catalogues.ts';
import {
  type AskedComparison,
  type ComparedRow,
  comparedColumns,
  comparisonOptions,
  countsOf,
  headingsOf,
  listsOf,
  onlyIn,
  rowFilter,
  unknownGenes,
} from './compare-rows.ts';
import { findPanels } from './find-panels.ts';
import { isDay, OptionError } from './options.ts';
import { type Answer, declare, type Limit, limitsOf, type Place, unknownNameLimit } from './question.ts';

export const question = declare<typeof comparisonOptions, ComparedRow>({
  name: 'compare',
  title: 'Panels compared',
  menu: [
    { words: 'Not signed off' },
    {
      words: 'Disagreements',
      texts: (catalogues) => (catalogues.length < 2 ? null : { sides: catalogues }),
    },
  ],
  sentence:
    'compare what panels hold in two states: signed off and newest, two versions or days, two catalogues',
  group: 'Beside them',
  about:
    'By HGNC id: what is green on one side only, different ratings, different modes of inheritance, and what one side lacks, each with the day since when. Laboratories that test by signed-off versions use a gene from the next sign-off on. The newest version is the last one that was read, with what events state since.',
  examples: [
    '--r-code R208',
    '--panel 137 2.0 3.4',
    '--panel "Hearing loss" previous newest',
    'uk australia --only-in australia --format csv --output uk-australia.csv',
  ],
  file: 'compared',
  options: comparisonOptions,
  columns: comparedColumns,
  asksCatalogue: true,
  async answer(asked, place) {
    const sides = asked.sides;
    const catalogues = sides.filter((words) => place.catalogues.includes(words));
    if (catalogues.length === 0) return answerStates(asked, place);
    const other = sides.find((words) => !catalogues.includes(words));
    if (other !== undefined || catalogues.length < 2)
      throw new OptionError(
        other ?? catalogues[0] ?? '',
        `two catalogues of ${place.catalogues.join(', ')}; there is no such one`,
        'sides',
      );
    return answerCatalogues(catalogues, asked, place);
  },
});

interface NamedSide {
  readonly side: Side;
  /** `in the newest version`. */
  readonly where: string;
  readonly words: string;
}

/** Earlier sides first. */
const order: readonly Side['kind'][] = ['previous', 'version', 'at', 'signed-off', 'newest'];

function readSide(words: string, { times }: Pick<Place, 'times'>): NamedSide {
  if (words === 'signed-off') return { words, side: { kind: words }, where: 'in the signed-off version' };
  if (words === 'newest') return { words, side: { kind: words }, where: 'in the newest version' };
  if (words === 'previous') return { words, side: { kind: words }, where: 'in the version before' };
  if (/^\d+\.\d+$/.test(words))
    return { words, side: { kind: 'version', version: words }, where: `in ${words}` };
  const at = isDay(words) ? times.startOf(words) : parseInstant(words);
  if (at !== null) return { words, side: { kind: 'at', at }, where: `on ${words}` };
  throw new OptionError(
    words,
    'signed-off, newest, previous, a version such as 3.1, a day such as 2026-01-31, a time, or the name of a catalogue that is followed',
    'sides',
  );
}

function readSides(words: readonly string[], place: Place): readonly [NamedSide, NamedSide] {
  const [one, other, ...more] = words.map((each) => readSide(each, place));
  if (!one || !other || more.length > 0 || one.words === other.words)
    throw new OptionError(words.join(' '), 'two different sides, such as signed-off newest', 'sides');
  return isBefore(other.side, one.side) ? [other, one] : [one, other];
}

function isBefore(one: Side, other: Side): boolean {
  if (one.kind === 'at' && other.kind === 'at') return one.at < other.at;
  if (one.kind === 'version' && other.kind === 'version') return isBeforeVersion(one.version, other.version);
  return order.indexOf(one.kind) < order.indexOf(other.kind);
}

async function answerStates(asked: AskedComparison, place: Place): Promise<Answer<ComparedRow>> {
  const sides = readSides(asked.sides, place);
  const [before, after] = sides;
  const panels = await findPanels(asked, place);
  const isOne = [...(panels.asked?.values() ?? [])].reduce((sum, { size }) => sum + size, 0) === 1;
  if (sides.some(({ side }) => side.kind === 'version') && !isOne && panels.limits.length === 0)
    throw new OptionError(
      asked.sides.join(' '),
      'one --panel beside it: versions are those of one panel',
      'sides',
    );
  const found: ComparedPanel[] = [];
  const limits: Limit[] = [...panels.limits];
  for (const catalogue of place.catalogues) {
    const wanted = panels.asked?.get(catalogue) ?? null;
    if (wanted?.size === 0) continue;
    const compared = await compareIn(catalogue, { sides, wanted }, place);
    found.push(...compared.found);
    limits.push(...compared.limits);
  }
  found.sort((a, b) => naturalOrder(a.after.summary.panelName, b.after.summary.panelName));
  const includes = rowFilter(asked, await namesIn(place));
  const rows = found.flatMap((panel) => rowsOf(panel, place)).filter(includes);
  const isOnly = onlyIn(
    asked,
    sides.map(({ words }) => words),
  );
  const shown = rows.filter(isOnly);
  const summaries = found.map((panel) => summaryRow(panel, rows, place));
  const where = [before.where, after.where] as const;
  return {
    lead: leadOf(found, { sides, isSame: shown.length === 0, place }),
    lists: listsOf({ rows: shown, summaries }, where, asked),
    limits: [...(await unknownGenes(asked, rows.length, place)), ...limits],
    headings: headingsOf(asked, where),
  };
}

async function compareIn(
  catalogue: string,
  {
    sides: [before, after],
    wanted,
  }: { readonly sides: readonly [NamedSide, NamedSide]; readonly wanted: ReadonlyMap<number, string> | null },
  place: Place,
): Promise<{ readonly found: readonly ComparedPanel[]; readonly limits: readonly Limit[] }> {
  const states = place.states(catalogue);
  const names = new Map((await states.panels()).map(({ panelId, panelName }) => [panelId, panelName]));
  if ([before, after].some(({ side }) => side.kind === 'signed-off')) {
    const signOffs = await states.signOffs();
    if (signOffs.length === 0 && !place.archive)
      return { found: [], limits: limitsOf('unread', noSignOffKnown(catalogue)) };
    // A panel may be signed off before it was read.
    for (const { panelId, panelName } of signOffs) if (!names.has(panelId)) names.set(panelId, panelName);
  }
  const nameOf = (id: number): string => wanted?.get(id) ?? names.get(id) ?? `panel ${id}`;
  const { history, now, archive = null } = place;
  const all: (ComparedPanel | UncomparedPanel)[] = [];
  const missing: Limit[] = [];
  const asked = { before: before.side, after: after.side };
  for await (const one of comparePanels((wanted ?? names).keys(), asked, {
    catalogue,
    states,
    history,
    now,
    archive,
  })) {
    all.push(one);
    if (isCompared(one)) continue;
    const versions = [before, after].flatMap(({ side }) => (side.kind === 'version' ? side.version : []));
    if (versions.length === 0) continue;
    const known = await versionsNamed(one.panelId, catalogue, place);
    for (const { version, sentence } of unknownVersions(
      `${nameOf(one.panelId)} (${one.panelId})`,
      versions,
      known,
    ))
      missing.push(unknownNameLimit({ option: 'sides', value: version, statement: sentence, sentence }));
  }
  const limits = comparisonLimits(all, nameOf).flatMap(({ kind, sentence }) =>
    limitsOf(kind, cleanLine(sentence)),
  );
  return { found: all.filter(isCompared), limits: missing.length > 0 ? missing : limits };
}

function rowsOf({ before, after, differences }: ComparedPanel, { now }: Place): readonly ComparedRow[] {
  return differences.map((difference): ComparedRow => {
    const { entity, earlier, since } = difference;
    return {
      ...{ entity, since, now, pair: null, counts: null },
      inheritance: difference.before === difference.after && difference.modes !== null ? 'differs' : null,
      first: {
        found: before,
        name: earlier?.name ?? null,
        status: difference.before,
        modes: difference.modes?.before ?? [],
      },
      second: {
        found: after,
        name: entity === earlier ? null : entity.name,
        status: difference.after,
        modes: difference.modes?.after ?? [],
      },
    };
  });
}

function summaryRow(
  { before, after }: ComparedPanel,
  rows: readonly ComparedRow[],
  { now }: Place,
): ComparedRow {
  const counts = countsOf(
    rows.filter(({ second }) => second.found === after),
    null,
  );
  const sides = { first: { found: before }, second: { found: after } };
  return { entity: null, inheritance: null, since: null, now, pair: null, counts, ...sides };
}

function leadOf(
  found: readonly ComparedPanel[],
  {
    sides: [before, after],
    isSame,
    place: { times },
  }: { readonly sides: readonly NamedSide[]; readonly isSame: boolean; readonly place: Place },
): readonly Phrase[] {
  if (found.length === 0) return [];
  const [only] = found;
  const compared = phrase`${counted(found.length, 'panel')} compared: what ${found.length === 1 ? 'it held' : 'they held'} ${before?.where ?? ''}, and ${after?.where ?? ''}${isSame ? ': the same ratings and modes of inheritance, as far as asked for' : ''}.`;
  if (!only || found.length > 1 || before?.side.kind === 'signed-off') return [compared];
  const dated = ({ summary }: FoundSide): string =>
    `${cleanLine(summary.version)}, since ${times.day(summary.validFrom)}`;
  return [
    compared,
    phrase`${linkPiece(cleanLine(only.after.summary.panelName), `/?panel=${only.after.summary.panelId}&since=all`)}: version ${dated(only.before)}, and ${dated(only.after)}. ${proofSentence(only.after.summary.proof)}`,
  ];
}

async function versionsNamed(
  id: number,
  catalogue: string,
  { history, states, listings }: Pick<Place, 'history' | 'states' | 'listings'>,
): Promise<readonly string[]> {
  const listing = (await listings()).find((each) => each.catalogue === catalogue)?.listing;
  const stated = [...(listing?.panels.get(id)?.versions ?? []), ...(await states(catalogue).versions(id))];
  const found = new Set(stated.map(({ version }) => version));
  for await (const { data } of history.findWithoutRows({ catalogue, filter: { panels: [id] } }))
    if (data.panel?.version) found.add(data.panel.version);
  return [...found];
}

/**
 * A sentence for each version that the panel does not have as far as is known: it is later than all others, or it lies between
 * two that follow each other. What is earlier, or in a gap, may exist.
 */
export function unknownVersions(
  panel: string,
  asked: readonly string[],
  known: readonly string[],
): readonly { readonly version: string; readonly sentence: string }[] {
  const numbers = known.flatMap((version) => {
    const read = versionNumbers(version);
    return read ? [{ version, read }] : [];
  });
  const ordered = numbers.toSorted((one, other) => compareVersions(one.read, other.read));
  return asked.flatMap((version) => {
    const wanted = versionNumbers(version);
    if (!wanted || ordered.length === 0) return [];
    if (ordered.some(({ read }) => compareVersions(read, wanted) === 0)) return [];
    const before = ordered.findLast(({ read }) => compareVersions(read, wanted) < 0);
    const after = ordered.find(({ read }) => compareVersions(read, wanted) > 0);
    if (!before || (after && !isNextVersion(before.version, after.version))) return [];
    const nearest = after
      ? `The nearest known versions are ${before.version} and ${after.version}.`
      : `The newest known version is ${before.version}.`;
    return [{ version, sentence: `${panel} has no version ${version} that is known. ${nearest}` }];
  });
}

function isNextVersion(one: string, next: string): boolean {
  const [first, last] = [versionNumbers(one), versionNumbers(next)];
  if (first === null || last === null) return false;
  const [major, minor] = first;
  return compareVersions(last, [major, minor + 1]) === 0 || compareVersions(last, [major + 1, 0]) === 0;
}
