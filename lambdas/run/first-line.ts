/** The first line of a text. AWS explains a refused signature over many lines, with the session's token among them. */
export function firstLine(text: string): string {
  return text
    .split(/[\r\n]/, 1)
    .join('')
    .trim();
}

/** An error of AWS with the first line of its message alone, its name and its metadata: without credentials. */
export function withFirstLine(error: unknown): unknown {
  if (!(error instanceof Error) || firstLine(error.message) === error.message) return error;
  const metadata = '$metadata' in error ? { $metadata: error.$metadata } : {};
  return Object.assign(new Error(firstLine(error.message)), { name: error.name, ...metadata });
}
