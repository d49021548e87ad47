import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { versionCell } from '../../lambdas/words/change-csv.ts';
import { byteOrderMark, csvLine } from '../../lambdas/words/csv.ts';
import type { ComparedPanel, Comparison } from './compare-catalogues.ts';

/** One of the two catalogues. */
type Side = 0 | 1;

/**
 * A comparison as CSV: one line for each value that differs, for each pair without a difference, and for each panel or region
 * that one catalogue alone has; then one for each list that was read.
 */
export function comparisonCsv({ catalogues, panels, regions }: Comparison): string {
  const [one, other] = catalogues;
  const columns = [
    'what',
    'matched by',
    ...[one.name, other.name].flatMap((name) =>
      ['panel', 'panel id', 'version', 'R codes'].map((column) => `${column} in ${name}`),
    ),
    'region',
    'differs in',
    one.name,
    other.name,
  ];
  const pairs = panels.flatMap(({ panels: [mine, theirs], codes, sameName, differences }) => {
    const match = [...(sameName ? ['name'] : []), ...codes].join(' ');
    const cells = ['panel', match, ...panelCells(mine), ...panelCells(theirs), null];
    return pairLines(cells, differences);
  });
  const held = regions.flatMap(({ name, differences }) => {
    const cells = ['region', 'name', ...noPanel, ...noPanel, name];
    return pairLines(cells, differences);
  });
  const lone = catalogues.flatMap(({ name, onlyHere }, index) => {
    const side: Side = index === 0 ? 0 : 1;
    const what = `only in ${name}`;
    return [
      ...onlyHere.panels.map((panel) =>
        csvLine([`panel ${what}`, null, ...onSide(side, panelCells(panel), noPanel), null, null, null, null]),
      ),
      ...onlyHere.regions.map((region) =>
        csvLine([`region ${what}`, null, ...noPanel, ...noPanel, region, null, null, null]),
      ),
    ];
  });
  const read = catalogues.map(({ listedAt, panels: listed, regions: counted }, index) => {
    const words = `${formatInstant(instantOf(listedAt)).slice(0, 19)}Z: ${listed} panels, ${counted} regions`;
    const cells = onSide(index === 0 ? 0 : 1, [words], [null]);
    return csvLine(['list read', null, ...noPanel, ...noPanel, null, null, ...cells]);
  });
  return byteOrderMark + csvLine(columns) + [...pairs, ...held, ...lone, ...read].join('');
}

type Cells = readonly (string | number | null)[];

/** A line for each value that differs in a pair, or one that says that none does. */
const pairLines = (
  cells: Cells,
  differences: Comparison['regions'][number]['differences'],
): readonly string[] =>
  differences.length === 0
    ? [csvLine([...cells, 'nothing', null, null])]
    : differences.map(({ field, values }) => csvLine([...cells, field, ...values]));

const noPanel: Cells = [null, null, null, null];

const panelCells = ({ name, id, version, codes }: ComparedPanel): Cells => [
  name,
  id,
  versionCell(version),
  codes.join(' '),
];

/** The cells of one catalogue beside the empty ones of the other, in the order of the catalogues. */
const onSide = (side: Side, own: Cells, empty: Cells): Cells =>
  side === 0 ? [...own, ...empty] : [...empty, ...own];
