/** "JSON.parse source text access" of ECMAScript 2026: Node 24 has it, the compiler's ES2024 library does not yet. */
interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
