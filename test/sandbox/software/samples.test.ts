import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntityType } from '../../../sandbox/software/entity-type.ts';
import { readRow } from '../../../sandbox/software/reading.ts';
import type { RowFields } from '../../../sandbox/software/recording.ts';

/** Rows that the real software wrote, where they are at hand. */
const directory = join(import.meta.dirname, '../../../../shared/samples');

const pages = existsSync(directory)
  ? [directory, join(directory, 'offset-timestamps')].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^activities-page-\d+\.json$/.test(name))
        .map((name) => join(folder, name)),
    )
  : [];

describe.skipIf(pages.length === 0)('rows of the real software', () => {
  test.each(pages)('%s has only wordings that are in the tables', (file) => {
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as { results: RowFields[] };
    expect(results.length).toBeGreaterThan(0);
    const unread = results.filter(
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
