/** Longer views would hold too much memory, here and in the browser. No view of everyday use comes near. */
const LONGEST_HTML = 4_000_000;

/** A view as a response; where it is too long, a sentence that says what to do instead. */
export function htmlResponse(view: { toString(): string }, status: number): Response {
  const body = String(view);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  if (body.length <= LONGEST_HTML) return new Response(body, { status, headers });
  const sentence = `This view has ${body.length.toLocaleString('en-GB')} characters; the page shows at most ${LONGEST_HTML.toLocaleString('en-GB')}. Choose a shorter period or fewer panels, or save the CSV.`;
  return new Response(`${sentence}\n`, {
    status: 413,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
