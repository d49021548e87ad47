import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readActivity } from '../../lambdas/catalogue/log-row.ts';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { classify } from '../../lambdas/classifier/classify.ts';
import type { EventKindName } from '../../lambdas/events/changes.ts';
import { eventsOf } from './correlation/rows.ts';
import { readingForms } from './reading-forms.ts';

interface OwnRow {
  readonly activity: Activity;
  /** What the row says, by kind of event. */
  readonly says: { readonly [Kind in EventKindName]?: unknown };
}

/** Rows in the catalogue's wordings, with invented names: every clone has them. */
const fixture = new URL('../fixtures/wordings/rows.json', import.meta.url);
const rows: readonly OwnRow[] = JSON.parse(readFileSync(fixture, 'utf8'));
const activities = rows.map(({ activity }) => activity);

/** Pages of rows in the catalogue's wordings, also in every clone. */
const pages = new URL('../fixtures/catalogue/', import.meta.url);
const rowsOfPages: readonly Activity[] = readdirSync(pages)
  .filter((name) => name.startsWith('activities-page-'))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, pages), 'utf8')).results);

describe('the rows of the pages that every clone has', () => {
  test('are all known wordings, each read by one form', () => {
    expect(rowsOfPages.length).toBeGreaterThanOrEqual(300);
    expect(rowsOfPages.filter((activity) => (classify(activity)?.unknown.length ?? 1) > 0)).toEqual([]);
    expect(rowsOfPages.filter((activity) => readingForms(activity).length !== 1)).toEqual([]);
  });

  test('are published, none as unclassified, with ids of their own', () => {
    const events = eventsOf(rowsOfPages);
    const published = new Set(
      events.flatMap(({ data }) => data.activities.map((row) => JSON.stringify(row))),
    );
    expect(rowsOfPages.filter((row) => !published.has(JSON.stringify(row)))).toEqual([]);
    expect(events.filter(({ type }) => type.includes('unclassified'))).toEqual([]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });
});

describe('rows in the wordings of the catalogue, with invented names', () => {
  test.each(rows)('$activity.text', ({ activity, says }) => {
    const reading = classify(activity);
    expect(readActivity(activity)).toMatchObject({ ok: true });
    expect(readingForms(activity)).toHaveLength(1);
    expect(reading?.unknown).toEqual([]);
    expect(Object.keys(reading?.draft ?? {}).sort()).toEqual(Object.keys(says).sort());
    expect(reading?.draft).toMatchObject(says);
  });

  test('are published, each row in at least one event, none as unclassified and no change that states nothing', () => {
    const events = eventsOf(activities);
    const published = new Set(events.flatMap(({ data }) => data.activities));
    expect(activities.filter((activity) => !published.has(activity))).toEqual([]);
    expect(events.filter(({ type }) => type.includes('unclassified'))).toEqual([]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const empty = events.filter(
      ({ type, data }) =>
        type === 'gene-panel.entity.tags-changed.v1' &&
        data.change.added.length + data.change.removed.length === 0,
    );
    expect(empty).toEqual([]);
  });

  test('say the same where the server stands in another time zone', () => {
    const elsewhere = activities.map((activity) => ({
      ...activity,
      created: activity.created
        .replace('Z', '+11:00')
        .replace(/T(\d\d)/, (_, hour: string) => `T${Number(hour) + 11}`),
    }));
    expect(elsewhere.map(classify)).toEqual(activities.map(classify));
    const idsOf = (some: readonly Activity[]): string[] =>
      eventsOf(some).map(({ id, time }) => `${id} ${time}`);
    expect(idsOf(elsewhere)).toEqual(idsOf(activities));
  });
});
