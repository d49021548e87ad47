/** CSV as a file to save. */
export function csvResponse(lines: AsyncIterable<string> | Iterable<string>, name: string): Response {
  return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'no-store',
    },
  });
}

/** A text as a part of a file's name. */
export const fileWord = (text: string): string => text.replaceAll(/[^\w.-]/g, '-').slice(0, 60);
