import type { Row } from './notice.ts';
import { phraseText } from './phrase.ts';

/**
 * The rows that a list has no space for, as one text: `and 288 more: amber → green: ABCA4, AIPL1 · red → green: BEST1`. Where
 * even the names have no space, it ends in how many are left.
 * @param longest in UTF-16 units
 */
export function restOfRows(rows: readonly Row[], longest: number): string {
  const start = `and ${rows.length} more`;
  const groups = Map.groupBy(rows, ({ words }) => phraseText(words));
  let text = '';
  let named = 0;
  for (const [words, own] of groups) {
    for (const [place, { name }] of own.entries()) {
      const separator =
        place > 0 ? ', ' : `${text === '' ? '' : ' · '}${groups.size > 1 || named === 0 ? `${words}: ` : ''}`;
      if (name === '' || start.length + text.length + separator.length + name.length + LEFT > longest) {
        const left = rows.length - named;
        return named === 0 ? start : `${start}: ${text} and ${left} others`;
      }
      text += separator + name;
      named += 1;
    }
  }
  return text === '' ? start : `${start}: ${text}`;
}

/** Space for the number of those that are left. */
const LEFT = 24;
