/**
 * The items of a source in order, each made while the one before is used: at most one is made ahead. An error of the source
 * comes after the items before it. A reader that stops early drops what was made ahead: the signal that `start` gets is aborted,
 * and the source has ended before the reader goes on, so that no request outlives a poll. `outer` ends it too.
 */
export async function* ahead<Item>(
  start: (stop: AbortSignal) => AsyncIterable<Item>,
  outer?: AbortSignal,
): AsyncGenerator<Item> {
  const stopping = new AbortController();
  const stop = outer ? AbortSignal.any([stopping.signal, outer]) : stopping.signal;
  const items = start(stop)[Symbol.asyncIterator]();
  const begin = (): ReturnType<typeof items.next> => {
    const next = items.next();
    // It may fail before the reader asks for it, or when no one asks for it any more.
    next.catch(() => {});
    return next;
  };
  try {
    let next = begin();
    for (let item = await next; !item.done; item = await next) {
      stop.throwIfAborted();
      next = begin();
      yield item.value;
    }
  } finally {
    stopping.abort();
    await items.return?.();
  }
}
