import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PanelEvent } from 'gene-panel-notifier/consumer';
import { openInterpretationApi } from 'gene-panel-notifier/interpretation';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Case, caseSchema, nameOf } from '../../examples/re-analysis/case.ts';
import { listMessages } from '../../examples/re-analysis/list-message.ts';
import { outdatedCases } from '../../examples/re-analysis/outdated-cases.ts';
import { reAnalysis } from '../../examples/re-analysis/re-analysis.ts';
import { webhookRecipient } from '../../examples/re-analysis/recipients.ts';
import type { Recipient } from '../../examples/re-analysis/send-lists.ts';
import { webhookIn } from '../../examples/re-analysis/webhook-in.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { startFamily } from '../../sandbox/interpretation/start.ts';
import { example } from '../consumer/recorded-batch.ts';

type Classified = PanelEvent<'entity.classified'>;
const event = example<Classified>('gene-panel.entity.classified.v1');
const panel = { id: 9999, version: '1.5' };
const analysed = (request: string, version: number, used: string): Case => ({
  request,
  version,
  panels: [{ id: 9999, version: used }],
});

describe('a case is outdated', () => {
  test.each([
    ['analysed with an older version', '1.4', true],
    ['with the version that has the green gene', '1.5', false],
    ['with a newer minor version, 1.10', '1.10', false],
    ['with an older major version', '0.99', true],
  ])('%s', (_, used, outdated) => {
    expect(outdatedCases([analysed('1', 1, used)], panel)).toHaveLength(outdated ? 1 : 0);
  });

  test('only in its newest version', () => {
    const cases = [analysed('1', 2, '1.5'), analysed('1', 1, '1.2')];
    expect(outdatedCases(cases, panel)).toStrictEqual([]);
  });

  test('by the newest of the versions that it names, and not by another panel', () => {
    const used = [
      { id: 9999, version: '1.5' },
      { id: 9999, version: '1.2' },
      { id: 1, version: '0.1' },
    ];
    expect(outdatedCases([{ request: '1', version: 1, panels: used }], panel)).toStrictEqual([]);
  });

  test('where it was analysed with a super panel that holds the panel, and not with the panel itself', () => {
    const superPanels = [{ id: 77, name: 'Paediatric disorders' }];
    const withSuper = { request: '1', version: 1, panels: [{ id: 77, version: '3.1' }] };
    const withBoth = {
      request: '2',
      version: 1,
      panels: [...withSuper.panels, { id: 9999, version: '1.5' }],
    };
    expect(outdatedCases([withSuper, withBoth], panel, superPanels)).toStrictEqual([
      { name: '1, version 1', analysedWith: '3.1 of Paediatric disorders' },
    ]);
    expect(outdatedCases([withSuper], panel)).toStrictEqual([]);
  });

  test('in any version where the log states none', () => {
    expect(outdatedCases([analysed('1', 1, '9.0')], { id: 9999, version: null })).toHaveLength(1);
  });
});

/** A register and a record of what was done, in memory. */
function startHandler(readCases: () => Promise<{ items: readonly Case[]; complete: boolean }>) {
  const owners = new Map<string, string>();
  const done = new Set<string>();
  const sent: string[] = [];
  let failing = false;
  const recipient: Recipient = {
    name: 'topic',
    send: async (message) => {
      if (failing) throw new Error('the topic is down');
      sent.push(message.text);
    },
  };
  const handle = reAnalysis({
    readCases,
    recipients: [recipient],
    zone: 'Europe/London',
    register: {
      claim: async (cases, { eventId, panelId, gene }) =>
        cases.filter(({ name }) => {
          const key = `${name} ${panelId} ${gene}`;
          if (!owners.has(key)) owners.set(key, eventId);
          return owners.get(key) === eventId;
        }),
    },
    once: async (id, work) => {
      if (done.has(id)) return;
      await work();
      done.add(id);
    },
  });
  return {
    handle,
    sent,
    fail: (value: boolean) => {
      failing = value;
    },
  };
}

const two = async () => ({ items: [analysed('1', 1, '1.4'), analysed('2', 1, '0.9')], complete: true });

describe('the list of a gene that turned green', () => {
  test('holds the cases of the sandbox that were analysed with an older version', async () => {
    const family = await startFamily({ clock });
    const [secret] = decisionSupport.secrets;
    const api = openInterpretationApi({
      baseUrl: family.applications.urls['interpretation-api'],
      authUrl: family.provider.authUrl,
      tenantId: tenants['non-production'].id,
      credential: async () => JSON.stringify({ client_id: decisionSupport.clientId, client_secret: secret }),
      log,
    });
    onTestFinished(async () => {
      await api.close();
      await family.close();
    });
    const { handle, sent } = startHandler(() =>
      api.getAll(['interpretation-request'], { schema: caseSchema, identify: nameOf }),
    );
    await handle(event);
    const readme = readFileSync('examples/re-analysis/README.md', 'utf8');
    const [, shown] = /```text\n(.*?)\n```/s.exec(readme) ?? [];
    expect(sent).toStrictEqual([shown]);
  });

  test('is sent once, also where the event is repeated', async () => {
    const { handle, sent } = startHandler(two);
    await handle(event);
    await handle(event);
    expect(sent).toHaveLength(1);
  });

  test('is sent by the repeat where the first attempt failed', async () => {
    const { handle, sent, fail } = startHandler(two);
    fail(true);
    await expect(handle(event)).rejects.toThrow('the topic is down');
    fail(false);
    await handle(event);
    expect(sent.join()).toMatch(/1, version 1: .*2, version 1: /s);
  });

  test('holds each case once: a later event of the same gene and panel lists new cases alone', async () => {
    let cases = [analysed('1', 1, '1.4')];
    const { handle, sent } = startHandler(async () => ({ items: cases, complete: true }));
    await handle(event);
    cases = [...cases, analysed('2', 1, '1.4')];
    await handle({ ...event, id: 'f'.repeat(32) });
    expect(sent[1]).toContain('2, version 1');
    expect(sent[1]).not.toContain('1, version 1:');
  });

  test.each<[string, PanelEvent]>([
    [
      'a panel that is not signed off',
      { ...event, data: { ...event.data, panel: { ...event.data.panel, signedOff: false } } },
    ],
    ['another type of event', example('gene-panel.panel.promoted.v1')],
  ])('is not sent for %s', async (_, other) => {
    const { handle, sent } = startHandler(two);
    await handle(other);
    expect(sent).toStrictEqual([]);
  });

  test('says so where a case could not be read, or the earlier rating is unknown', () => {
    const unknown: Classified = {
      ...event,
      data: { ...event.data, change: { from: null, to: 'green', direction: 'unknown' } },
    };
    const cases = [{ name: '1, version 1', analysedWith: '1.4' }];
    const [message] = listMessages({ event: unknown, cases, complete: false, zone: 'UTC' });
    expect(message?.text).toMatch(/earlier rating is unknown.*may be incomplete/s);
    expect(message?.subject).toBe('EXAMPLE1 is green: look again at 1 case');
  });

  test('is cut into messages that SNS takes', () => {
    const cases = Array.from({ length: 4001 }, (_, index) => ({
      name: `${index}, version 1`,
      analysedWith: '1.4',
    }));
    const messages = listMessages({ event, cases, complete: true, zone: 'UTC' });
    expect(messages.map(({ subject }) => subject)).toStrictEqual(
      [1, 2, 3].map((part) => `EXAMPLE1 is green: look again at 4001 cases (part ${part} of 3)`),
    );
    for (const { text } of messages) expect(Buffer.byteLength(text)).toBeLessThan(200_000);
  });
});

describe('a webhook', () => {
  const message = { subject: 'a subject', text: 'a list' };

  async function answering(status: number) {
    const bodies: unknown[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(JSON.parse(await text(request)));
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { bodies, address: `http://127.0.0.1:${port}/hook` };
  }

  test('gets the list with the id of the event', async () => {
    const { bodies, address } = await answering(200);
    await webhookRecipient(address).send(message, 'an id');
    expect(bodies).toStrictEqual([{ id: 'an id', ...message }]);
  });

  test('that refuses the list makes the record fail, without its address in the message', async () => {
    const { address } = await answering(410);
    await expect(webhookRecipient(address).send(message, 'an id')).rejects.toThrow(
      /^(?!.*127\.0).*answered 410; expected 200/,
    );
  });
});

test('a secret that is no JSON is refused without being shown', () => {
  expect(() => webhookIn('s3cret')).toThrow(/^(?!.*s3cret).*not a JSON object/);
  expect(webhookIn('{"client_id": "a"}')).toBeUndefined();
});
