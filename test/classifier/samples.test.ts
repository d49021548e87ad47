import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { classify, type Reading } from '../../lambdas/classifier/classify.ts';
import { readingForms } from './reading-forms.ts';
import { checks } from './truth/checks.ts';
import type { Comparison, TrueEvent } from './truth/compare.ts';

const samples = new URL('../../../shared/samples/', import.meta.url);

interface Truth {
  readonly i: number;
  readonly op: string;
  readonly entity_type: string | null;
  readonly entity_name: string | null;
  readonly events?: readonly TrueEvent[];
}

function activitiesIn(folder: URL): readonly Activity[] {
  if (!existsSync(folder)) return [];
  const pages = readdirSync(folder).filter((name) => name.startsWith('activities-page-'));
  return pages
    .sort()
    .flatMap(
      (name) => (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { results: Activity[] }).results,
    );
}

/** What a row does not say by its own columns: the entity that a panel-level row is about. */
function entityOf({ entity_type, entity_name, events = [] }: Truth): Reading['entity'] {
  const named = events.find((event) => 'entity_name' in event);
  const type = entity_type ?? named?.entity_type;
  const name = entity_name ?? named?.entity_name;
  return type && name ? ({ type, name } as Reading['entity']) : null;
}

/** Implied by another family of the same row: the rating that a source carries, a tag given at the start. */
const implied: readonly string[] = ['entity.classified'];

describe.skipIf(!existsSync(samples))('the saved rows (in ../shared only)', () => {
  const activities = activitiesIn(samples);
  const truth: readonly Truth[] = existsSync(samples)
    ? JSON.parse(readFileSync(new URL('truth.json', samples), 'utf8'))
    : [];
  // Paging served one row twice; the truth of the second serving is that of the first.
  const served = activities.map((activity) => JSON.stringify(activity));
  const rows = activities.map((activity, index) => {
    const first = truth[index]?.events ? index : served.indexOf(served[index] ?? '');
    return { activity, truth: truth[first] as Truth };
  });

  test('are all known wordings', () => {
    const unclassified = activities.filter((activity) => (classify(activity)?.unknown.length ?? 1) > 0);
    process.stdout.write(`${unclassified.length} of ${activities.length} saved rows are unclassified\n`);
    expect(activities).toHaveLength(600);
    expect(unclassified).toEqual([]);
  });

  test('are read by one form each', () => {
    expect(activities.filter((activity) => readingForms(activity).length !== 1)).toEqual([]);
  });

  test('say what truly happened, field by field', () => {
    let compared = 0;
    for (const { activity, truth: row } of rows) {
      const { draft = {}, entity } = classify(activity) ?? {};
      const comparisons = (row.events ?? []).flatMap((event): readonly Comparison[] => {
        const check = checks[event.kind];
        if (!check) return [{ field: event.kind, read: 'not checked', truly: 'checked' }];
        return check.compare(event, draft);
      });
      compared += comparisons.length;
      const read = comparisons.map(({ field, read }) => [field, read]);
      expect([row.i, entity, ...read]).toEqual([
        row.i,
        entityOf(row),
        ...comparisons.map(({ field, truly }) => [field, truly]),
      ]);
    }
    process.stdout.write(`${compared} values of saved rows compared with the truth\n`);
    expect(compared).toBeGreaterThan(1_500);
  });

  test('say nothing else', () => {
    for (const { activity, truth: row } of rows) {
      const families = new Set((row.events ?? []).map(({ kind }) => checks[kind]?.family));
      const said = Object.keys(classify(activity)?.draft ?? {});
      expect([
        row.i,
        said.filter((family) => !families.has(family as never) && !implied.includes(family)),
      ]).toEqual([row.i, []]);
      expect([row.i, [...families].filter((family) => !said.includes(family as string))]).toEqual([
        row.i,
        [],
      ]);
    }
  });

  test('say the same where the server stands in another time zone', () => {
    const elsewhere = activitiesIn(new URL('offset-timestamps/', samples));
    expect(elsewhere).toHaveLength(200);
    expect(elsewhere.map(classify)).toEqual(activities.slice(0, elsewhere.length).map(classify));
  });
});
