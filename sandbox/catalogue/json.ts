/** Prints JSON as the catalogue does: non-ASCII text as it is, and only U+2028 and U+2029 escaped. */
export function printJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
