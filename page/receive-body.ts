import type { Clock } from '../lambdas/run/clock.ts';

/** Bodies that may arrive at a time: of everybody, and of one person. The largest ones hold 128 MB together. */
const MOST_ARRIVING = 8;
const MOST_OF_A_PERSON = 2;
/** Each body has so long, and the longer ones the time that they take at the least pace. */
const SHORTEST_MS = 20_000;
const BYTES_PER_SECOND = 50_000;

/** Receives the body of a form, or returns the response that refuses it. */
type ReceiveBody = (form: Request, who: string) => Promise<Request | Response>;

/**
 * Returns what receives forms whole before they take a place of the page, so that a slow one holds up no other.
 * The length of each was stated, and is one that the page takes.
 */
export function createReceiver(clock: Pick<Clock, 'sleep'>): ReceiveBody {
  const arriving = new Map<string, number>();
  let all = 0;
  const count = (who: string, change: 1 | -1): void => {
    all += change;
    const left = (arriving.get(who) ?? 0) + change;
    if (left === 0) arriving.delete(who);
    else arriving.set(who, left);
  };
  return async (form, who) => {
    if ((arriving.get(who) ?? 0) >= MOST_OF_A_PERSON)
      return refused(
        503,
        'You are already sending other forms or files. Wait until they have arrived, then send this one again.',
      );
    if (all >= MOST_ARRIVING)
      return refused(
        503,
        'Other people are sending forms or files right now. Send yours again in a few seconds.',
      );
    count(who, 1);
    const late = new AbortController();
    const length = Number(form.headers.get('content-length'));
    const longest = SHORTEST_MS + (length / BYTES_PER_SECOND) * 1_000;
    try {
      const body = await Promise.race([
        bytesOf(form, late.signal),
        clock.sleep(longest, late.signal).then(
          () => null,
          () => null,
        ),
      ]);
      if (body !== null) return new Request(form.url, { method: form.method, headers: form.headers, body });
      const seconds = Math.round(longest / 1_000);
      return refused(
        408,
        `This form did not arrive within ${seconds} s. Nothing was done. Send it over a faster connection, or a smaller file.`,
      );
    } finally {
      late.abort(new Error('the form has arrived, or came too slowly'));
      count(who, -1);
    }
  };
}

/** The whole body; null where it is wanted no longer. */
async function bytesOf({ body }: Request, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}), { once: true });
  const parts: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (signal.aborted) return null;
    if (done) return new Uint8Array(Buffer.concat(parts));
    parts.push(value);
  }
}

const refused = (status: number, sentence: string): Response =>
  new Response(`${sentence}\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': '5' }),
    },
  });
