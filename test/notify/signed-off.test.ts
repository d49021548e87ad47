import { describe, expect, test } from 'vitest';
import { messageSubscriptionSchema } from '../../lib/message-subscription-settings.ts';
import { chatWebhooks } from '../channels/chat-webhooks.ts';
import { turnedGreen } from '../messages/events.ts';
import { madeUpState } from '../panel-states/made-up-states.ts';
import {
  gene,
  hearing,
  listedSignOff,
  signedBefore,
  signedNow,
  signOff,
  startLaboratory,
  working,
} from './signed-off-harness.ts';

describe('a sign-off', () => {
  test('says in every channel what entered and what left, with ratings, ids and inheritance', async () => {
    const lab = await startLaboratory();
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.send(signOff());
    const [mail] = await lab.mails();
    expect(mail?.subject).toBe('Hearing loss (R67) 4.20 is signed off: 2 genes more, 1 fewer than in 4.0');
    expect(
      mail?.text?.replaceAll('\r\n', '\n'),
    ).toContain(`Signed off: version 4.20, on 6 May 2026 (before: 4.0, since 22 March 2023)
`);
    const text = mail?.text ?? '';
    expect(text).toMatch(
      /NOW GREEN IN THE SIGNED-OFF VERSION \(2\)\s+OTOF\s+amber → green\s+HGNC:8515 · BIALLELIC\s+https:\S+\/gene\/OTOF\/\s+TMPRSS3\s+not on the panel → green/,
    );
    expect(text).toMatch(/NO LONGER GREEN IN THE SIGNED-OFF VERSION\s+COCH\s+green → amber/);
    expect(text).toMatch(/GREEN SINCE, NOT SIGNED OFF YET\s+GJB6\s+not on the panel → green/);
    expect(text).toContain('Everything that is green in it is still green');
    const csv = new TextDecoder().decode(mail?.attachments[0]?.content as ArrayBuffer);
    expect(csv.split('\r\n').filter((line) => line.includes(',126,Hearing loss,R67,gene,'))).toHaveLength(4);
    expect(csv).toContain('now green in the signed-off version');
    for (const kind of [...chatWebhooks, 'amazon-q', 'atom']) {
      const body = lab.post(kind);
      for (const part of ['4.20', 'OTOF', 'TMPRSS3', 'COCH', 'GJB6', 'HGNC'])
        expect(body, kind).toContain(part);
    }
    expect(JSON.parse(lab.post('webhook')).data.change.signedOffVersion).toBe('4.20');
    await lab.stop();
  });

  test('is in a digest with what entered and what left', async () => {
    const lab = await startLaboratory({ when: { digest: 'daily' } });
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.send(signOff());
    lab.clock.pass(24 * 3_600_000);
    await lab.run();
    const [mail] = await lab.mails();
    expect(mail?.text).toMatch(/Hearing loss \(R67\)\s+signed off: version 4\.20, on 6 May 2026/);
    expect(mail?.text).toContain('Now green in the signed-off version (2): OTOF, TMPRSS3');
    expect(mail?.text).toContain('No longer green in the signed-off version (1): COCH');
    await lab.stop();
  });

  test('waits until its versions are read, and after six hours says what is missing, never that nothing changed', async () => {
    const lab = await startLaboratory();
    await lab.states.save(working);
    await lab.send(signOff());
    expect(await lab.mails()).toStrictEqual([]);
    lab.clock.pass(6 * 3_600_000);
    await lab.run();
    const [mail] = await lab.mails();
    expect(mail?.subject).toBe('Hearing loss (R67) 4.20 is signed off');
    expect(mail?.text).toContain('What version 4.20 holds was not read.');
    expect(mail?.text).toContain('What the version signed off before, 4.0, held was not read.');
    expect(mail?.text).not.toMatch(/fewer|Nothing/);
    await lab.stop();
  });
});

describe("counts: 'signed-off'", () => {
  test('is silent about a gene that turns green, and sends one message once it is signed off', async () => {
    const lab = await startLaboratory({ counts: 'signed-off', filter: { to: ['green'], genes: ['OTOF'] } });
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.send(turnedGreen({ gene: 'OTOF', panel: hearing }));
    expect(await lab.mails()).toStrictEqual([]);
    await lab.send(signOff());
    const [mail, ...others] = await lab.mails();
    expect(others).toStrictEqual([]);
    expect(mail?.subject).toBe('Hearing loss (R67) 4.20 is signed off: 1 gene more, 0 fewer than in 4.0');
    expect(mail?.text).toContain('OTOF');
    expect(mail?.text).not.toMatch(/TMPRSS3|COCH/);
    expect(mail?.text).toContain(
      'asks for changes of rating to green of OTOF, once it is signed off, and for what is signed off as green and is so no longer.',
    );
    await lab.stop();
  });

  test('sends nothing about a sign-off that brings none of the genes that are asked for', async () => {
    const lab = await startLaboratory({ counts: 'signed-off', filter: { to: ['green'], genes: ['BRCA1'] } });
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.send(signOff());
    expect(await lab.mails()).toStrictEqual([]);
    await lab.stop();
  });

  test('takes no filter that a sign-off cannot answer', () => {
    const settings = { counts: 'signed-off', filter: { tags: ['watchlist'] }, channels: [] };
    expect(messageSubscriptionSchema.safeParse(settings).error?.issues).toMatchObject([
      { path: ['filter', 'tags'], message: expect.stringContaining("counts: 'signed-off'") },
    ]);
  });
});

test('a gene that turned green says its ids, its inheritance, where else it is green, and what is signed off', async () => {
  const lab = await startLaboratory();
  for (const state of [signedBefore, working]) await lab.states.save(state);
  await lab.states.saveSignOffs([listedSignOff]);
  await lab.states.save(
    madeUpState({
      panelId: 9,
      panelName: 'Auditory neuropathy',
      relevantDisorders: ['R68'],
      entities: [gene('OTOF', 'green', 'HGNC:8515')],
    }),
  );
  await lab.send(turnedGreen({ gene: 'OTOF', panel: hearing }));
  const [mail] = await lab.mails();
  const text = mail?.text?.replaceAll('\r\n', '\n');
  expect(text).toContain(
    'Hearing loss (R67), version 4.21\nNot signed off yet: the signed-off version is 4.0, since 22 March 2023, where it is amber\n',
  );
  expect(text).toContain('OTOF (HGNC:8515) · BIALLELIC · also green on R68');
  for (const kind of [...chatWebhooks, 'amazon-q', 'atom']) {
    const body = lab.post(kind);
    expect(body, kind).toMatch(/HGNC:\u200b?8515|HGNC[^a-z]{1,12}8515/);
    expect(body, kind).toContain('also green on R68');
  }
  await lab.stop();
});
