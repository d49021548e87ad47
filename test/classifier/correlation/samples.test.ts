import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { readLogRows } from '../../../lambdas/catalogue/log-row.ts';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { eventsOf } from './rows.ts';

/** 600 rows of a running catalogue and what truly happened; beside the repository, where they are at hand. */
const samples = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url));

interface Truth {
  readonly op?: string;
  readonly op_id?: number;
  readonly kinds: readonly string[];
  readonly events?: readonly {
    readonly kind: string;
    readonly from?: { readonly list: string };
    readonly to?: { readonly list: string };
  }[];
}

const lists: Readonly<Record<string, string>> = {
  Green: 'green',
  Amber: 'amber',
  Red: 'red',
  'No list': 'none',
};
const ratingKinds = ['rating_set', 'classified', 'moved_to_no_list', 'rating_changed'];

const rowsOf = (files: readonly string[]): Record<string, unknown>[] =>
  files.flatMap(
    (file) =>
      (JSON.parse(readFileSync(samples + file, 'utf8')) as { results: Record<string, unknown>[] }).results,
  );

const keysOf = (rows: readonly unknown[]): string[] => readLogRows(rows).map(({ key }) => key);

describe.skipIf(!existsSync(samples))('the events of the saved rows (where they are at hand)', () => {
  let rows: Record<string, unknown>[];
  let truth: Truth[];
  let events: PanelEvent[];
  let byRow: Map<string, PanelEvent[]>;
  beforeAll(() => {
    rows = rowsOf([1, 2, 3, 4, 5, 6].map((page) => `activities-page-00${page}.json`));
    truth = JSON.parse(readFileSync(`${samples}truth.json`, 'utf8')) as Truth[];
    events = eventsOf(rows as never);
    byRow = new Map();
    for (const event of events) {
      for (const key of keysOf(event.data.activities)) byRow.set(key, [...(byRow.get(key) ?? []), event]);
    }
  });

  const eventsOfRow = (row: unknown): PanelEvent[] => byRow.get(keysOf([row])[0] ?? '') ?? [];

  test('cover every row, and leave none unclassified', () => {
    const uncovered = rows.filter((row) => eventsOfRow(row).length === 0);
    const unclassified = events.filter(({ type }) => type.includes('unclassified')).length;
    process.stdout.write(`${rows.length} rows, ${events.length} events, ${unclassified} unclassified\n`);
    expect(uncovered).toStrictEqual([]);
    expect(unclassified).toBe(0);
    expect(rows).toHaveLength(600);
  });

  test('have ids of their own', () => {
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test('hold one event for each rating operation, to the right rating, and never from a wrong one', () => {
    const operations = Map.groupBy([...truth.keys()], (index) => truth[index]?.op_id);
    operations.delete(undefined);
    let ratings = 0;
    let known = 0;
    for (const [operation, indices] of operations) {
      const stated = indices
        .flatMap((index) => truth[index]?.events ?? [])
        .filter(({ kind }) => ratingKinds.includes(kind));
      if (stated.length === 0) continue;
      ratings += 1;
      // Paging served one row twice, and another row never.
      const found = new Set(indices.flatMap((index) => eventsOfRow(rows[index])));
      const classified = [...found].filter(({ type }) => type === 'gene-panel.entity.classified.v1');
      if (
        classified.length === 0 &&
        indices.some((index) => truth[index + 1]?.op === 'duplicate_from_paging')
      )
        continue;
      expect(classified.length, `operation ${operation}`).toBe(1);
      const change = classified[0]?.data.change as { from: string | null; to: string };
      expect(change.to, `operation ${operation}`).toBe(lists[stated[0]?.to?.list ?? '']);
      const from = lists[stated[0]?.from?.list ?? ''];
      expect([from, null], `operation ${operation}`).toContain(change.from);
      if (change.from !== null) known += 1;
    }
    process.stdout.write(`${ratings} rating operations, ${known} of them with the rating before\n`);
    expect(ratings).toBeGreaterThan(70);
  });

  test('rate nothing where nothing was rated', () => {
    for (const [index, { kinds, events: happened = [] }] of truth.entries()) {
      const stated =
        happened.some(({ kind }) => ratingKinds.includes(kind)) || kinds.includes('entity_added');
      const classified = eventsOfRow(rows[index]).filter(
        ({ type }) => type === 'gene-panel.entity.classified.v1',
      );
      if (stated || truth[index]?.op === 'duplicate_from_paging') continue;
      // An expert review that is added carries the rating, which was confirmed by it.
      for (const { data } of classified) {
        expect(data.activities.map(({ text }) => text).join()).toContain('Source Expert Review');
        expect(data.change).toMatchObject({ direction: 'unchanged' });
      }
    }
  });

  test('are the same from a server in another time zone', () => {
    const pages = ['activities-page-001.json', 'activities-page-002.json'];
    const ids = (files: readonly string[]): string[] =>
      eventsOf(rowsOf(files) as never).map(({ id, time }) => `${id} ${time}`);
    expect(ids(pages.map((page) => `offset-timestamps/${page}`))).toStrictEqual(ids(pages));
  });
});
