import { byteOrderMark, csvLine } from '../../lambdas/messages/csv.ts';
import type { Comparison } from './compare-catalogues.ts';

/** A comparison as CSV: one line for each value that differs, and for each panel or region that one catalogue lacks. */
export function comparisonCsv({ catalogues, panels, regions }: Comparison): string {
  const [one, other] = catalogues;
  const columns = [
    'kind',
    'matched by',
    `panel id ${one.name}`,
    `panel id ${other.name}`,
    'name',
    'field',
    one.name,
    other.name,
  ];
  const pairs = panels.flatMap(({ panels: [mine, theirs], codes, sameName, differences }) =>
    differences.map(({ field, values }) => {
      const match = [...codes, ...(sameName ? ['name'] : [])].join(' ');
      return csvLine(['panel', match, mine.id, theirs.id, mine.name, field, ...values]);
    }),
  );
  const held = regions.flatMap(({ name, differences }) =>
    differences.map(({ field, values }) => csvLine(['region', 'name', null, null, name, field, ...values])),
  );
  const lone = catalogues.flatMap(({ onlyHere }, side) => {
    const place = side === 0 ? ['listed', null] : [null, 'listed'];
    return [
      ...onlyHere.panels.map(({ id, name }) => {
        const ids = side === 0 ? [id, null] : [null, id];
        return csvLine(['panel', null, ...ids, name, null, ...place]);
      }),
      ...onlyHere.regions.map((name) => csvLine(['region', null, null, null, name, null, ...place])),
    ];
  });
  return byteOrderMark + csvLine(columns) + [...pairs, ...held, ...lone].join('');
}
