import type { PanelEvent } from '../../events/schemas.ts';

/** The words of a text in the form in which they are searched: lower case, without accents. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of an event that a search looks at: its summary, names and actor, and the texts of its rows. */
export function searchedWords({ data }: PanelEvent): readonly string[] {
  const { summary, panel, entity, actor, activities } = data;
  const texts = activities.map(({ text }) => (typeof text === 'string' ? text : ''));
  return wordsOf([summary, panel?.name, entity?.name, actor, ...texts].filter(Boolean).join(' '));
}

/** Whether an event has every word of a search; a search without a word matches every event. */
export function textMatcher(text: string): (event: PanelEvent) => boolean {
  const wanted = wordsOf(text);
  return (event) => {
    const words = new Set(searchedWords(event));
    return wanted.every((word) => words.has(word));
  };
}
