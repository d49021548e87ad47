import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventSchema, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { anyEvent } from '../events/any-event.ts';

const row = {
  created: '2023-11-17T15:54:09.123689Z',
  panel_name: 'Cystic kidney disease',
  item_type: 'entity',
};

const [commented] = fc.sample(
  anyEvent.filter(({ type }) => type === 'gene-panel.entity.commented.v1'),
  { seed: 1, numRuns: 1 },
) as [PanelEvent];

/** Pairs of long texts, with halves of characters and such. */
test('a message holds a beginning of every text that is too long', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('\ud800', '\udfff', '\\u'),
  );
  const text = fc
    .tuple(unit, fc.integer({ min: 1, max: 400_000 }))
    .map(([part, length]) => part.repeat(length / part.length + 1));
  const property = fc.property(text, text, (rowText, comment) => {
    const event = {
      ...commented,
      data: {
        ...commented.data,
        activities: [{ ...row, text: rowText }],
        entity: { type: 'str', name: comment.slice(0, 300) },
        change: { comment, action: 'added' },
      },
    } as PanelEvent;
    const { data } = eventSchema('entity.commented').parse(JSON.parse(toMessage(event).body)) as PanelEvent;
    const cut = String(data.activities[0]?.text);
    expect(rowText.toWellFormed().startsWith(cut)).toBe(true);
    expect(data.activities[0]?.textTruncated).toBe(cut.length < rowText.length ? true : undefined);
  });
  fc.assert(property, { numRuns: 40, seed: 1 });
});
