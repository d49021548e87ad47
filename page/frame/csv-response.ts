/** CSV as a file to save. */
export const csvResponse = (lines: AsyncIterable<string> | Iterable<string>, name: string): Response =>
  fileResponse(lines, { name: `${name}.csv`, type: 'text/csv' });

/** Text as a file to save. */
export function fileResponse(
  parts: AsyncIterable<string> | Iterable<string>,
  { name, type }: { readonly name: string; readonly type: 'text/csv' | 'text/plain' | 'text/html' },
): Response {
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}

/** A text as a part of a file's name. */
export const fileWord = (text: string): string => text.replaceAll(/[^\w.-]/g, '-').slice(0, 60);
