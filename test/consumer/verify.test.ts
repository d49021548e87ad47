import { createSign, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventError } from '../../consumer/parse-event.ts';
import { verifySns, verifyWebhook } from '../../consumer/verify.ts';
import { example } from './recorded-batch.ts';

// The library for signatures of webhooks asks the machine's clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T09:15:00Z') }));
afterEach(() => void vi.useRealTimers());

const event = example('gene-panel.entity.classified.v1');
const body = JSON.stringify(event);
const codeOf = (error: unknown): unknown => (error instanceof EventError ? error.code : error);
const refused = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'accepted', codeOf);

describe('a webhook', () => {
  const keyOf = (text: string): string => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
  const [key, newKey] = [keyOf('the key'), keyOf('the new key')];
  /** A request that was signed some seconds ago. */
  const signed = (secondsAgo = 0, text = body) => {
    const at = new Date(Date.now() - secondsAgo * 1000);
    return {
      body: text,
      headers: {
        'webhook-id': 'a1b2',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign('a1b2', at, text),
      },
    };
  };

  test('gives its event', async () => {
    expect(await verifyWebhook(signed(), { keys: [key] })).toStrictEqual(event);
  });

  test('is accepted by any of several keys, while one is changed', async () => {
    expect(await verifyWebhook(signed(), { keys: [newKey, key] })).toStrictEqual(event);
  });

  test.each([
    ['signed with another key', signed(), [newKey]],
    ['older than five minutes', signed(3_600), [key]],
    ['from the future', signed(-3_600), [key]],
    ['with another body', { ...signed(), body: `${body} ` }, [key]],
    ['without headers', { body, headers: {} }, [key]],
  ])('%s is refused', async (_how, request, keys) => {
    expect(await refused(verifyWebhook(request, { keys }))).toBe('NOT_SIGNED');
  });

  test('that was seen before is refused where its ids are remembered', async () => {
    const seen = new Set<string>();
    const remember = (id: string): boolean => seen.size < seen.add(id).size;
    expect(await refused(verifyWebhook(signed(), { keys: [key], remember }))).toBe('accepted');
    expect(await refused(verifyWebhook(signed(), { keys: [key], remember }))).toBe('REPEATED');
  });

  test('whose signed body is no event is refused for what it holds', async () => {
    expect(await refused(verifyWebhook(signed(0, 'no JSON'), { keys: [key] }))).toBe('NOT_JSON');
  });
});

describe('a message of SNS', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const topicArn = 'arn:aws:sns:eu-west-2:111122223333:panels-classifications';
  const certificate =
    'https://sns.eu-west-2.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';
  const asked: string[] = [];
  const options = {
    topicArns: [topicArn],
    certificateAt: async (address: string) => {
      asked.push(address);
      return pem;
    },
  };
  const notification = {
    Type: 'Notification',
    MessageId: '22b80b92',
    TopicArn: topicArn,
    Message: body,
    Timestamp: '2026-11-21T09:15:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: certificate,
    UnsubscribeURL: 'https://sns.eu-west-2.amazonaws.com/?Action=Unsubscribe',
  };
  const confirmation = {
    ...notification,
    Type: 'SubscriptionConfirmation',
    Message: 'You have chosen to subscribe to the topic.',
    Token: '2336412f',
    SubscribeURL: 'https://sns.eu-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f',
  };
  function signed(fields: Readonly<Record<string, string>>): string {
    const signer = createSign('RSA-SHA256');
    const names = [
      'Message',
      'MessageId',
      'Subject',
      'SubscribeURL',
      'Timestamp',
      'Token',
      'TopicArn',
      'Type',
    ];
    for (const name of names) if (fields[name] !== undefined) signer.update(`${name}\n${fields[name]}\n`);
    return JSON.stringify({ ...fields, Signature: signer.sign(privateKey, 'base64') });
  }

  test.each([
    ['without a subject', notification],
    ['with a subject', { ...notification, Subject: 'BRCA1 is now green' }],
  ])('%s gives its event', async (_how, fields) => {
    expect(await verifySns(signed(fields), options)).toStrictEqual({ kind: 'event', event });
  });

  test('that asks for a confirmation gives the address to open', async () => {
    expect(await verifySns(signed(confirmation), options)).toStrictEqual({
      kind: 'confirmation',
      topicArn,
      confirm: confirmation.SubscribeURL,
    });
  });

  test.each([
    ['of another topic', signed({ ...notification, TopicArn: `${topicArn}2` })],
    ['changed on its way', signed(notification).replace('EXAMPLE1', 'EXAMPLE2')],
    ['without a signature', JSON.stringify(notification)],
    ['with a signature of version 1', signed({ ...notification, SignatureVersion: '1' })],
    ['of another type', signed({ ...notification, Type: 'Anything' })],
    ['older than SNS tries', signed({ ...notification, Timestamp: '2026-11-21T08:09:00.000Z' })],
    ['from the future', signed({ ...notification, Timestamp: '2026-11-21T09:21:00.000Z' })],
    ['without a time', signed({ ...notification, Timestamp: '' })],
    [
      'whose confirmation leads elsewhere',
      signed({ ...confirmation, SubscribeURL: 'https://evil.example.org/?Action=ConfirmSubscription' }),
    ],
  ])('%s is refused', async (_how, text) => {
    expect(await refused(verifySns(text, options))).toBe('NOT_SIGNED');
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'of the type %s is refused before anything is asked',
    async (type) => {
      asked.splice(0);
      expect(await refused(verifySns(signed({ ...notification, Type: type }), options))).toBe('NOT_SIGNED');
      expect(asked).toStrictEqual([]);
    },
  );

  test('that SNS still tries after an hour is accepted, and refused where its id is remembered', async () => {
    const text = signed({ ...notification, Timestamp: '2026-11-21T08:15:00.000Z' });
    const seen = new Set<string>();
    const remember = (id: string): boolean => seen.size < seen.add(id).size;
    expect(await refused(verifySns(text, { ...options, remember }))).toBe('accepted');
    expect(await refused(verifySns(text, { ...options, remember }))).toBe('REPEATED');
    expect(await refused(verifySns(`${text} `.replace('22b80b92', 'other'), { ...options, remember }))).toBe(
      'NOT_SIGNED',
    );
  });

  test.each([
    ['a body that is no JSON', () => verifySns('\u202e\u001b[2J', options)],
    [
      'an event of a newer type',
      () =>
        verifySns(
          signed({
            ...notification,
            Message: JSON.stringify({ ...event, id: '\u202e\u001b[2J', type: 'gene-panel.x\u202e' }),
          }),
          options,
        ),
    ],
    [
      'an event without its data',
      () =>
        verifySns(
          signed({ ...notification, Message: JSON.stringify({ ...event, id: '\u202e\u001b[2J', data: 1 }) }),
          options,
        ),
    ],
    [
      'a message that is no event',
      () => verifySns(signed({ ...notification, Message: '\u202e\u001b[2J' }), options),
    ],
  ])('its error quotes nothing raw of %s', async (_what, verify) => {
    const error: unknown = await verify().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EventError);
    for (const raw of ['\u202e', '\u001b']) expect(inspect(error)).not.toContain(raw);
  });

  test.each([
    'https://sns.eu-west-2.amazonaws.com.evil.example.org/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'https://evil.example.org/sns.eu-west-2.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'http://sns.eu-west-2.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'https://user@sns.eu-west-2.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'https://sns.eu-west-2.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
    'https://s3.amazonaws.com/sns.eu-west-2.amazonaws.com/x.pem',
    '',
  ])('with its certificate at %j is refused, and nothing is asked there', async (address) => {
    asked.splice(0);
    const text = signed({ ...notification, SigningCertURL: address });
    expect(await refused(verifySns(text, options))).toBe('NOT_SIGNED');
    expect(asked).toStrictEqual([]);
  });

  test.each(['', '[]', '"x"', '['.repeat(200_000)])(
    'with the body %#, which is no object, is refused',
    async (text) => {
      expect(await refused(verifySns(text, options))).toBe('NOT_JSON');
    },
  );
});
