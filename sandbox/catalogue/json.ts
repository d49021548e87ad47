/** JSON as the catalogue prints it: UTF-8 as it is, and only the two line separators of JavaScript escaped. */
export function printJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
