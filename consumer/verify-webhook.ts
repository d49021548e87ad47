import { Webhook } from 'standardwebhooks';
import { EventError } from './event-error.ts';
import type { PanelEvent } from './panel-event.ts';
import { parseEvent } from './parse-event.ts';

/** A request of the channel `webhook`, as the receiver got it. */
export interface WebhookRequest {
  /** The body, byte for byte: a body that was parsed and written again has another signature. */
  readonly body: string;
  /** With names in lower case, as Node's `request.headers`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface WebhookOptions {
  /**
   * The keys that may have signed, `whsec_…`: one, or the new and the old one while a key is changed.
   * Source of the format: https://www.standardwebhooks.com
   */
  readonly keys: readonly string[];
  /**
   * Remembers the id of a request for at least ten minutes; false where it has been seen. Without it, a request that
   * somebody recorded is accepted again within the five minutes that a signature holds. An event that is sent again
   * has the same id: handle each event once by its own `id` all the same.
   */
  readonly remember?: (webhookId: string) => Promise<boolean> | boolean;
}

/**
 * The event of a webhook request whose signature is right and at most five minutes old.
 *
 * @throws {EventError} `NOT_SIGNED` when no key gives the signature, or it is too old or from the future; `REPEATED` when
 *   `remember` knows the request; `NOT_JSON`, `NOT_AN_EVENT`, `INVALID_EVENT` or `NEWER_EVENT` for what it holds
 */
export async function verifyWebhook(request: WebhookRequest, options: WebhookOptions): Promise<PanelEvent> {
  const { keys, remember } = options;
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      only(request.headers[name]),
    ]),
  );
  if (keys.length === 0)
    throw new TypeError('Verifying a webhook: keys is empty; expected at least one, whsec_…');
  if (!keys.some((key) => isSigned(key, request.body, headers))) {
    throw new EventError(
      'NOT_SIGNED',
      'Verifying a webhook: no key gives its signature, or the signature is more than five minutes old or from the future. Check the key, the clock of this machine, and that the body is passed byte for byte.',
    );
  }
  if (remember && !(await remember(headers['webhook-id'] ?? ''))) {
    throw new EventError('REPEATED', 'Verifying a webhook: this request was received before.');
  }
  return parseEvent(request.body);
}

const only = (value: string | readonly string[] | undefined): string =>
  (typeof value === 'string' ? value : value?.[0]) ?? '';

function isSigned(key: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(key).verify(body, headers);
    return true;
  } catch (error) {
    // The library also parses what it has verified; that is for `parseEvent` to say.
    return error instanceof SyntaxError;
  }
}
