import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many responses may be made or sent at a time, and how many requests may wait for their turn. */
interface GateBounds {
  readonly open: number;
  readonly waiting: number;
}

/** Lets so many requests through at a time that what they hold together stays small. */
type Gate = (answer: () => Response | Promise<Response>) => Promise<Response>;

/**
 * Returns a gate. One response is made in each turn of the event loop, so that polls of this process wait for one view at a
 * time and not for those of all readers. A response counts as open until its body was sent or the reader left. A request that finds no place
 * is answered 503.
 */
export function createGate({ open, waiting }: GateBounds): Gate {
  const queue: (() => void)[] = [];
  let free = open;
  let lastTurn: Promise<void> = Promise.resolve();
  const ownTurn = (): Promise<void> => {
    lastTurn = lastTurn.then(() => nextTurn());
    return lastTurn;
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return async (answer) => {
    if (free > 0) free--;
    else if (queue.length >= waiting) return busy();
    else await new Promise<void>((resolve) => queue.push(resolve));
    await ownTurn();
    try {
      return untilSent(await answer(), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

const busy = (): Response =>
  new Response('The page is answering too many requests at once. Try again in a few seconds.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' },
  });

/** The response, with one call once its body was read to the end, failed, or is wanted no longer. */
function untilSent(response: Response, leave: () => void): Response {
  let isOpen = true;
  const ended = (): void => {
    if (isOpen) leave();
    isOpen = false;
  };
  if (response.body === null) {
    ended();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (!done) return controller.enqueue(value);
          ended();
          controller.close();
        } catch (error) {
          ended();
          controller.error(error);
        }
      },
      cancel(reason) {
        ended();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
