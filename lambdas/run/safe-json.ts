import { isPlain, unprintableBut } from './printable.ts';

/**
 * Characters that no reader of JSON needs as they are: control characters, marks that turn the direction of writing,
 * other invisible ones, and the two that SQS refuses. Some of them move the cursor of a terminal, clear its screen or
 * write to its clipboard.
 */
const unprintable = unprintableBut('\n');

/**
 * The same JSON, with each unprintable character as an escape: a reader gets the same value, and what
 * shows it as text is not steered by it. Line breaks between the values stay.
 */
export function safeJson(json: string): string {
  return isPlain(json) ? json : json.replace(unprintable, escapeOf);
}

/** The character as JSON writes it in ASCII: one escape for each UTF-16 unit. */
function escapeOf(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
