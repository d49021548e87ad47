import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../sandbox/software/recording.ts';
import { allRowShapes } from './all-row-shapes.ts';
import { addingCases } from './cases/adding.ts';
import { aPanel, aSession, type Case } from './cases/case.ts';
import { geneFormCases } from './cases/edit-gene.ts';
import { placeFormCases } from './cases/edit-place.ts';
import { editingCases } from './cases/editing.ts';
import { legacyCases } from './cases/legacy.ts';
import { panelCases } from './cases/panels.ts';
import { ratingCases } from './cases/rating.ts';
import { reviewingCases } from './cases/reviewing.ts';
import { differences } from './differences.ts';
import { parseRow } from './oracle/reading.ts';

const sections: Readonly<Record<string, readonly Case[]>> = {
  'adding an entity': addingCases,
  'rating and marking as ready (1.2, 1.3)': ratingCases,
  'single-field edits': editingCases,
  'reviews and comments': reviewingCases,
  'the edit form of a gene': geneFormCases,
  'the edit form of an STR or a region': placeFormCases,
  'panel level': panelCases,
  'shapes of older rows': legacyCases,
};

/** A case in a session of its own: actions change entities, so each needs a fresh one. */
function play({ entity, act, codeLine = 'au' }: Case): Outcome {
  const own = structuredClone(entity);
  const panel = aPanel({ entities: [own] });
  return act(aSession({ codeLine, panel }), own);
}

describe.each(Object.entries(sections))('%s', (_section, cases) => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const outcome = play(one);
    expect(outcome.rows.map(({ row }) => row.text)).toEqual(one.texts);
    expect(outcome.ambiguous).toBe(false);
    const { type, name } = one.entity;
    const published = one.published.map(([kind, change = {}, entity = { type, name }]) => ({
      type: kind,
      panelId: 7,
      entity,
      change,
    }));
    expect(differences(outcome.truth, published)).toEqual([]);
  });
});

test('every line of every table of wordings stands in a case', () => {
  const seen = new Set<string>();
  for (const one of Object.values(sections).flat()) {
    for (const { row } of play(one).rows) {
      const context = {
        panelName: row.panel_name,
        entityType: row.entity_type,
        entityName: row.entity_name,
        panelLevel: row.item_type === 'panel',
      };
      const parses = [...parseRow(row.text, context), ...parseRow(row.text, context, ['verboseName'])];
      for (const parsed of parses) {
        for (const { key } of parsed.finest() ?? [])
          seen.add(`${JSON.stringify(parsed.shape.on)} ${parsed.shape.lines[key]}`);
      }
    }
  }
  const all = allRowShapes.flatMap(({ on, lines }) =>
    Object.values<string>(lines).map((template) => `${JSON.stringify(on)} ${template}`),
  );
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((line) => !seen.has(line))).toEqual([]);
});
