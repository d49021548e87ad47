import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { classifyLog } from '../../lambdas/classifier/classify.ts';
import { correlate, createKnownStates } from '../../lambdas/classifier/correlation/correlate.ts';
import type { EventKindName } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { kinds } from '../../sandbox/software/kinds.ts';
import { activitiesByKind } from '../sandbox/software/arbitraries.ts';
import { differences, type PublishedChange } from '../sandbox/software/differences.ts';
import { readingForms } from './reading-forms.ts';

/**
 * What the catalogue software wrote must come back, for any values typed into it. The generator is written from
 * the page on its wordings and knows nothing of the grammar.
 */

const context = {
  catalogue: { name: 'generated', url: 'https://example.org/api/v1/' },
  listing: null,
};

function publish(rows: readonly Activity[]): readonly PublishedChange[] {
  return correlate(classifyLog(rows), createKnownStates(), context).events.map(publishedBy);
}

function publishedBy({ type, data }: PanelEvent): PublishedChange {
  const kind = type.slice('gene-panel.'.length, -'.v1'.length) as EventKindName;
  const { rating: _, ...stated } = data.change as { readonly rating?: unknown };
  return {
    type: kind,
    panelId: data.panel?.id ?? Number.NaN,
    entity: data.entity,
    // The rating beside an annotation is what was known of the entity, not what the row says.
    change: kind === 'entity.annotated' ? stated : { ...data.change },
  };
}

/** Tests that what each kind of action writes comes back, `runs` times each. */
export function testRoundTrips({ runs, seed }: { readonly runs: number; readonly seed: number }): void {
  describe('what was written comes back', () => {
    test('for all kinds of actions', () => {
      expect(kinds.length).toBeGreaterThan(30);
      expect(kinds.map(({ kind }) => kind).filter((kind) => !activitiesByKind[kind])).toEqual([]);
    });

    test.each(kinds.map(({ kind }) => kind))('%s', (kind) => {
      const activities = activitiesByKind[kind];
      if (!activities) throw new Error(`the generator has no action "${kind}"`);
      fc.assert(
        fc.property(activities, ({ rows, truth }) => {
          expect(differences(truth, publish(rows))).toEqual([]);
          for (const row of rows) expect(readingForms(row)).toHaveLength(1);
        }),
        { numRuns: runs, seed },
      );
    });
  });
}
