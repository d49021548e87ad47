import { describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { messageSubscriptionSchema } from '../../lib/subscription-settings.ts';
import { chatWebhooks } from '../channels/chat-webhooks.ts';
import { at, madeUpState } from '../panels/made-up-states.ts';
import { eventOf, turnedGreen } from '../words/events.ts';
import {
  gene,
  hearing,
  listed,
  listedSignOff,
  signedBefore,
  signedNow,
  signOff,
  startLaboratory,
  working,
} from './signed-off-harness.ts';

/** What a sign-off's event states. */
const stated = (event: PanelEvent) => (event as PanelEvent<'panel.signed-off'>).data.change;

/** Channels that show a message to people, beside mail. */
const shown = [...chatWebhooks, 'slack-bot', 'webex', 'amazon-q', 'atom'];

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
      /NOW GREEN IN THE SIGNED-OFF VERSION \(2\)\s+OTOF\s+amber → green\s+HGNC:8515 · mode of inheritance: BIALLELIC\s+https:\S+\/gene\/OTOF\/\s+TMPRSS3\s+not on the panel → green/,
    );
    expect(text).toMatch(/NO LONGER GREEN IN THE SIGNED-OFF VERSION\s+COCH\s+green → amber/);
    expect(text).toMatch(/GREEN SINCE, NOT SIGNED OFF YET\s+GJB6\s+not on the panel → green/);
    expect(text).toContain(
      'Everything that is green in 4.20 is green in 4.21, the newest version that is known.',
    );
    const csv = new TextDecoder().decode(mail?.attachments[0]?.content as ArrayBuffer);
    expect(csv.split('\r\n').filter((line) => line.includes(',126,Hearing loss,R67,gene,'))).toHaveLength(4);
    expect(csv).toContain('now green in the signed-off version');
    for (const kind of shown) {
      const body = lab.post(kind);
      for (const part of ['4.20', 'OTOF', 'TMPRSS3', 'COCH', 'GJB6', 'HGNC'])
        expect(body, kind).toContain(part);
    }
    expect(JSON.parse(lab.post('webhook')).data.change.signedOffVersion).toBe('4.20');
    await lab.stop();
  });

  test('is compared with what events made of the panel since it was read', async () => {
    const history = createSqliteHistory(openStateFile());
    const time = '2026-05-08T09:00:00.000000Z';
    const panel = { ...hearing, version: '4.22' };
    const downgraded = eventOf(
      'entity.classified',
      { from: 'green', to: 'amber', direction: 'downgraded' },
      { panel, time, gene: 'GJB6' },
    );
    await history.append([toMessage(downgraded), toMessage(turnedGreen({ panel, time, gene: 'COCH' }))], {
      ...{ catalogue: 'uk', since: at('2026-05-01T00:00:00'), until: at('2026-05-09T00:00:00') },
    });
    const lab = await startLaboratory({}, { history });
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.send(signOff());
    const text = (await lab.mails())[0]?.text ?? '';
    expect(text).toMatch(/GREEN SINCE, NOT SIGNED OFF YET\s+COCH\s+amber → green/);
    expect(text).not.toMatch(/not on the panel → green\s+HGNC:4288/);
    expect(text).toContain('is green in 4.22, the newest version that is known');
    await lab.stop();
  });

  test('that is the first one known lists all that is green in its version, in the mail and in the file', async () => {
    const lab = await startLaboratory();
    for (const state of [signedNow, working]) await lab.states.save(state);
    const { previousSignedOffVersion: _version, previousSignedOffDate: _date, ...first } = stated(signOff());
    await lab.send({ ...signOff(), data: { ...signOff().data, change: first } } as PanelEvent);
    const [mail] = await lab.mails();
    expect(mail?.subject).toBe('Hearing loss (R67) 4.20 is signed off: 2 green genes');
    const text = mail?.text?.replaceAll('\r\n', '\n') ?? '';
    expect(text).toContain('Signed off: version 4.20, on 6 May 2026\n');
    expect(text).toMatch(/\n {2}OTOF +green\n {4}HGNC:8515 · mode of inheritance: BIALLELIC\n/);
    expect(text).toMatch(/GREEN IN THE SIGNED-OFF VERSION \(2\)\n[^(]+TMPRSS3 +green/);
    expect(text).toMatch(/GREEN SINCE, NOT SIGNED OFF YET\s+GJB6\s+not on the panel → green/);
    expect(text).toContain(
      'No earlier sign-off of the panel is known: everything that is green in this one is listed, not only what is new.',
    );
    expect(text).not.toMatch(/fewer|more than|newly/);
    const csv = new TextDecoder().decode(mail?.attachments[0]?.content as ArrayBuffer);
    expect(csv.split('\r\n').filter((line) => line.startsWith('green in the signed-off version,'))).toEqual([
      expect.stringMatching(/,OTOF,HGNC:8515,.*,green,.*,v4\.20,.*"signed off: 4\.20, 6 May 2026"$/),
      expect.stringMatching(/,TMPRSS3,HGNC:11877,.*,green,.*,v4\.20,/),
    ]);
    expect(csv).toMatch(/"green since, not signed off yet",.*GJB6.*,v4\.21,/);
    expect(JSON.parse(lab.post('webhook')).data.change.comparison).toMatchObject({
      entered: null,
      green: [{ entity: { name: 'OTOF' } }, { entity: { name: 'TMPRSS3' } }],
    });
    for (const kind of shown) expect(lab.post(kind), kind).toMatch(/TMPRSS3/);
    await lab.stop();
  });

  test('that counts from a later day says what counts until then', async () => {
    const lab = await startLaboratory();
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    const day = new Date(lab.clock.now() + 20 * 24 * 3_600_000).toISOString().slice(0, 10);
    await lab.states.saveSignOffs([listedSignOff, listed('4.20', day)]);
    await lab.send(signOff({ signedOffDate: day }));
    const [mail] = await lab.mails();
    expect(mail?.subject).toMatch(
      / 4\.20 is signed off from \d+ \w+ 20\d\d: 2 genes more, 1 fewer than in 4\.0$/,
    );
    expect(mail?.text).toContain('Until then, what counts is version 4.0, signed off on 22 March 2023.');
    expect(mail?.text).toContain('NOW GREEN IN VERSION 4.20 (2)');
    expect(mail?.text).not.toContain('THE SIGNED-OFF VERSION');
    await lab.stop();
  });

  test('that another one follows before the message is sent says which of them counts, and lists each by its version', async () => {
    const lab = await startLaboratory();
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.states.saveSignOffs([
      listedSignOff,
      listed('4.20', '2026-05-06', 1),
      listed('4.21', '2026-05-06', 2),
    ]);
    const next = signOff({
      signedOffVersion: '4.21',
      previousSignedOffVersion: '4.20',
      previousSignedOffDate: '2026-05-06',
    });
    await lab.send(signOff(), { ...next, time: '2026-11-21T09:14:30.000000Z' });
    const [mail] = await lab.mails();
    const text = mail?.text?.replaceAll('\r\n', '\n') ?? '';
    expect(text).not.toContain('The signed-off version is');
    expect(text).toContain('Signed off: version 4.20, on 6 May 2026 (before: 4.0, since 22 March 2023)');
    expect(text).toContain('Signed off: version 4.21, on 6 May 2026 (before: 4.20, since 6 May 2026)');
    expect(text).toContain('NOW GREEN IN VERSION 4.20 (2)');
    expect(text).toMatch(/NOW GREEN IN VERSION 4\.21\s+GJB6/);
    expect(text).toContain('What counts now is version 4.21, signed off on 6 May 2026.');
    expect(text).not.toContain('NOT SIGNED OFF YET');
    await lab.stop();
  });

  test('that is withdrawn says which version counts again', async () => {
    const lab = await startLaboratory();
    await lab.states.saveSignOffs([listedSignOff]);
    const { signedOffVersion: _version, signedOffDate: _date, ...change } = stated(signOff());
    const withdrawn = {
      ...change,
      signedOff: false,
      previousSignedOffVersion: '4.20',
      previousSignedOffDate: '2026-05-06',
    };
    await lab.send({ ...signOff(), data: { ...signOff().data, change: withdrawn } } as PanelEvent);
    const [mail] = await lab.mails();
    expect(mail?.text).toContain('Withdrawn: the signed-off version 4.20, since 6 May 2026');
    expect(mail?.text).toContain('What counts now is version 4.0, signed off on 22 March 2023.');
    expect(mail?.text).not.toMatch(/unknown|cannot be said/);
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
    const csv = new TextDecoder().decode(mail?.attachments[0]?.content as ArrayBuffer);
    expect(csv).toMatch(/now green in the signed-off version,.*,OTOF,HGNC:8515,.*,v4\.20,.*BIALLELIC/);
    await lab.stop();
  });

  test('waits for the list that says which version, with its panel, until the sweep after it', async () => {
    const unnamed = { signedOffVersion: undefined, signedOffDate: undefined, via: 'activity' } as const;
    const lab = await startLaboratory();
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.send(signOff(unnamed));
    expect(await lab.mails()).toStrictEqual([]);
    await lab.send(signOff());
    const [mail, ...others] = await lab.mails();
    expect(others).toStrictEqual([]);
    expect(mail?.subject).toContain('Hearing loss (R67) 4.20 is signed off');

    await lab.send(signOff({ ...unnamed, previousSignedOffVersion: '4.20' }));
    lab.clock.pass(75 * 60_000);
    await lab.run();
    expect((await lab.mails()).map(({ text }) => text)).toStrictEqual([
      expect.stringContaining('the list of signed-off versions did not show it yet'),
    ]);
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
    expect(mail?.text).toContain('The contents of version 4.20 were not read.');
    expect(mail?.text).toContain('The contents of the version signed off before, 4.0, were not read.');
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
    expect(mail?.subject).toBe(
      'Hearing loss (R67) 4.20 is signed off: 1 gene more, 0 fewer of those asked for than in 4.0',
    );
    expect(mail?.text).toContain('OTOF');
    expect(mail?.text).not.toMatch(/TMPRSS3|COCH|Everything that|Nothing that/);
    expect(mail?.text).toContain('Everything of what you ask for that is green in 4.0 is green in 4.20.');
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
  expect(text).toContain('OTOF (HGNC:8515) · mode of inheritance: BIALLELIC · also green on R68');
  for (const kind of shown) {
    const body = lab.post(kind);
    expect(body, kind).toMatch(/HGNC:\u200b?8515|HGNC[^a-z]{1,12}8515/);
    expect(body, kind).toContain('also green on R68');
  }
  await lab.stop();
});
