/** ECMAScript 2026, "JSON.parse source text access": in Node 24, not yet in the compiler's library for ES2024. */
interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
