/** Whether a path is one that programs ask: errors there are problem details (RFC 9457), no views. */
export const isForPrograms = (path: string): boolean => path.startsWith('/api/');

/** What went wrong, for a program. */
interface Problem {
  readonly status: number;
  /** One short sentence. */
  readonly title: string;
  /** What was seen, what was expected, and what to do. */
  readonly detail: string;
}

/** A response of problem details. */
export const problemResponse = (problem: Problem, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`${JSON.stringify({ type: 'about:blank', ...problem })}\n`, {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  405: 'Method not allowed',
  421: 'Misdirected request',
  429: 'Too many requests',
  503: 'Not available now',
};

/** A refusal in plain text as problem details, with its headers; every other response as it is. */
export async function asProblem(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status < 400 || !type.startsWith('text/plain')) return response;
  const { status, headers } = response;
  const detail = (await response.text()).trim();
  const kept = [...headers].filter(([name]) => name !== 'content-type' && name !== 'content-length');
  return problemResponse({ status, title: titles[status] ?? 'Refused', detail }, Object.fromEntries(kept));
}
