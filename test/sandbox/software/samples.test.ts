import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RowFields } from '../../../sandbox/software/recording.ts';
import type { EntityType } from '../../../sandbox/software/values.ts';
import { readRow } from './oracle/reading.ts';

/** Pages of rows in the catalogue's wordings: those of every clone, and more where they are at hand. */
const own = join(import.meta.dirname, '../../fixtures/catalogue');
const samples = join(import.meta.dirname, '../../../../shared/samples');

const pages = [own, samples, join(samples, 'offset-timestamps')]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^activities-page-\d+\.json$/.test(name))
      .map((name) => join(folder, name)),
  );

const rowsIn = (file: string): readonly RowFields[] => JSON.parse(readFileSync(file, 'utf8')).results;
const wordings = join(import.meta.dirname, '../../fixtures/wordings/rows.json');
const invented: readonly { readonly activity: RowFields }[] = JSON.parse(readFileSync(wordings, 'utf8'));

describe('rows in the wordings of the real software', () => {
  test('are in every clone', () => {
    expect(pages.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ...pages.map((file) => [file, rowsIn(file)] as const),
    [wordings, invented.map(({ activity }) => activity)] as const,
  ])('%s has only wordings that are in the tables', (_file, rows) => {
    expect(rows.length).toBeGreaterThan(0);
    const unread = rows.filter(
      (row) =>
        !readRow(row.text, {
          panelName: row.panel_name,
          entityType: row.entity_type as EntityType | null,
          entityName: row.entity_name,
          panelLevel: row.item_type === 'panel',
        }),
    );
    expect(unread).toEqual([]);
  });
});
