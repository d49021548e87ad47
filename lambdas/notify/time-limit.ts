/** A channel did not take a message in the time of one delivery. */
export class DeliveryTimeoutError extends Error {
  override readonly name = 'DeliveryTimeoutError';
  readonly code = 'DELIVERY_TIMED_OUT';

  constructor(milliseconds: number, options: ErrorOptions) {
    super(
      `Sending the message: the receiver had not taken it after ${milliseconds / 1000} seconds. The message is tried again later; where this lasts, look at the receiver's own status.`,
      options,
    );
  }
}

/**
 * What the work gives, or the signal's reason as soon as the signal is aborted, also where the work does not end then.
 * @throws the reason of the signal
 */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
