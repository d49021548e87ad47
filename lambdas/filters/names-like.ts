import { nearest } from './nearest.ts';

/** The greatest number of names that are offered instead of an unknown one. */
const MOST_OFFERED = 3;

/** The names that a person may have meant: those that hold the words given, else the one that is spelt like them. */
export function namesLike(text: string, names: readonly string[]): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const holding = names.filter((name) => {
    const lower = name.toLowerCase();
    return words.length > 0 && words.every((word) => lower.includes(word));
  });
  const shortest = [...new Set(holding)].sort((one, other) => one.length - other.length);
  if (shortest.length > 0) return shortest.slice(0, MOST_OFFERED);
  const lower = text.toLowerCase();
  const near = nearest(
    lower,
    names.map((name) => name.toLowerCase()),
  );
  return names.filter((name) => name.toLowerCase() === near).slice(0, 1);
}

/** ` Did you mean “Hearing loss”?`, with a space before it; empty where no name is offered. */
export const offerOf = (names: readonly string[]): string => {
  if (names.length === 0) return '';
  const quoted = names.map((name) => `“${name}”`);
  const last = quoted.at(-1);
  return ` Did you mean ${quoted.length === 1 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`}?`;
};
