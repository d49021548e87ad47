/** Verification for receivers that anybody can reach by HTTPS: `gene-panel-events/verify`. */
import { createVerify } from 'node:crypto';
import { get } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '../lambdas/run/clock.ts';
import type { PanelEvent } from './panel-event.ts';
import { EventError, isObject, parseEvent } from './parse-event.ts';

export interface SnsOptions {
  /** The topics that may send. */
  readonly topicArns: readonly string[];
  /** Returns the certificate (PEM) at an address of AWS; by default over HTTPS, once an address. */
  readonly certificateAt?: (address: string) => Promise<string>;
  /**
   * Remembers the id of a message for at least 70 minutes; false where it has been seen. Without it, a message that somebody
   * recorded is accepted again as long as its age allows.
   */
  readonly remember?: (messageId: string) => Promise<boolean> | boolean;
}

/** SNS tries a delivery by HTTPS again for an hour at most, with the time of the first one. */
const OLDEST_MS = 65 * 60_000;
/** How far the clock of this machine may be behind. */
const TOLERANCE_MS = 5 * 60_000;

/** What a topic sent to a subscriber by HTTPS. */
export type SnsDelivery =
  | { readonly kind: 'event'; readonly event: PanelEvent }
  /** Open `confirm` (https, an address of AWS) to confirm the subscription, or its end. */
  | { readonly kind: 'confirmation'; readonly topicArn: string; readonly confirm: string };

/**
 * What a topic delivered to a subscriber by HTTPS, after its signature was verified: version 2 (SHA-256) alone, with a
 * certificate from AWS's own address, and sent within the last 65 minutes. Set the topic's attribute `SignatureVersion` to 2; the notifier's topics have it.
 * Source: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 *
 * @param body the body of the request, as text
 * @throws {EventError} `NOT_JSON`, `NOT_SIGNED`, `REPEATED` when `remember` knows the message, `NOT_AN_EVENT`, `INVALID_EVENT` or
 *   `NEWER_EVENT`
 */
export async function verifySns(body: string, options: SnsOptions): Promise<SnsDelivery> {
  const { topicArns, certificateAt = downloadOnce, remember } = options;
  const notification = fieldsOf(body);
  const text = (field: string): string => {
    const value = notification[field];
    return typeof value === 'string' ? value : '';
  };
  if (!topicArns.includes(text('TopicArn'))) throw refusal('it comes from another topic');
  if (text('SignatureVersion') !== '2') throw refusal('its signature is not of version 2');
  const address = text('SigningCertURL');
  if (!ofAws.test(address)) throw refusal('its certificate is not at an address of AWS');
  const signed = signedFields.get(text('Type'));
  if (!signed) throw refusal('it is neither a notification nor a confirmation');
  const age = systemClock.now() - Date.parse(text('Timestamp'));
  if (!(age <= OLDEST_MS && age >= -TOLERANCE_MS)) {
    throw refusal('it is older than 65 minutes, from the future, or states no time');
  }
  const certificate = await certificateAt(address);
  const verifier = createVerify('RSA-SHA256');
  for (const field of signed) if (text(field) !== '') verifier.update(`${field}\n${text(field)}\n`);
  if (!isRight(() => verifier.verify(certificate, text('Signature'), 'base64'))) {
    throw refusal('the signature does not belong to it');
  }
  const confirm = text('SubscribeURL');
  const isEvent = text('Type') === 'Notification';
  if (!isEvent && !subscribing.test(confirm)) throw refusal('its SubscribeURL is not an address of AWS');
  if (remember && !(await remember(text('MessageId')))) {
    throw new EventError('REPEATED', 'Verifying a message of SNS: this message was received before.');
  }
  if (isEvent) return { kind: 'event', event: parseEvent(text('Message')) };
  return { kind: 'confirmation', topicArn: text('TopicArn'), confirm };
}

const confirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** The fields that are signed, in their order. */
const signedFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', confirmation],
  ['UnsubscribeConfirmation', confirmation],
]);

const ofAws =
  /^https:\/\/sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?\/SimpleNotificationService-[\da-f]{32}\.pem$/;
const subscribing = /^https:\/\/sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?\/\?/;

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    // The cause would quote the body as it came.
    throw new EventError('NOT_JSON', 'Verifying a message of SNS: its body is not JSON.');
  }
  throw new EventError('NOT_JSON', 'Verifying a message of SNS: its body is not a JSON object.');
}

function refusal(seen: string): EventError {
  return new EventError(
    'NOT_SIGNED',
    `Verifying a message of SNS: ${seen}. It is not to be trusted. Check the ARNs given, that the topic has SignatureVersion 2, and the clock of this machine.`,
  );
}

/** A certificate or a signature that cannot be read is a wrong one. */
function isRight(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

const certificates = new Map<string, Promise<string>>();
const LARGEST_CERTIFICATE = 16_384;
const TIMEOUT_MS = 5_000;

function downloadOnce(address: string): Promise<string> {
  const known = certificates.get(address) ?? download(address);
  certificates.set(address, known);
  known.catch(() => certificates.delete(address));
  return known;
}

function download(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (seen: string): void =>
      reject(
        new EventError(
          'NOT_SIGNED',
          `Reading the certificate of SNS at ${address}: ${seen}. Deliver it again.`,
        ),
      );
    const request = get(address, { timeout: TIMEOUT_MS }, (response) => {
      let pem = '';
      response.setEncoding('ascii');
      response.on('data', (part: string) => {
        pem += part;
        if (pem.length > LARGEST_CERTIFICATE) request.destroy(new Error('it is too large for a certificate'));
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(pem);
        else fail(`the response is HTTP ${response.statusCode}`);
      });
      response.on('error', ({ message }) => fail(message));
    });
    request.on('timeout', () => request.destroy(new Error(`there was no response in ${TIMEOUT_MS} ms`)));
    request.on('error', ({ message }) => fail(message));
  });
}

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
