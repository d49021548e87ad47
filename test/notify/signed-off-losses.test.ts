import { describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { chatWebhooks } from '../channels/chat-webhooks.ts';
import { eventOf } from '../words/events.ts';
import { hearing, signedBefore, signedNow, signOff, startLaboratory, working } from './signed-off-harness.ts';

const downgraded = (gene: string): PanelEvent =>
  eventOf(
    'entity.classified',
    { from: 'green', to: 'amber', direction: 'downgraded' },
    { panel: hearing, gene },
  );

const removed = (gene: string): PanelEvent =>
  eventOf('entity.removed', { rating: 'green' }, { panel: hearing, gene });

const signOffOf = (version: string, date: string) => ({
  panelId: 126,
  panelName: 'Hearing loss',
  version,
  date,
  listedAt: instantOf(0),
  removedAt: null,
});

type Laboratory = Awaited<ReturnType<typeof startLaboratory>>;

async function withSignOff(lab: Laboratory, version = '4.0', date = '2023-03-22'): Promise<Laboratory> {
  for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
  await lab.states.saveSignOffs([signOffOf(version, date)]);
  return lab;
}

describe("counts: 'signed-off'", () => {
  const settings = { counts: 'signed-off', filter: { to: ['green' as const], panels: [126] } } as const;

  test('announces a downgrade of what is signed off as green at once, with the version that still holds it', async () => {
    const lab = await withSignOff(await startLaboratory({ ...settings }));
    await lab.send(downgraded('COCH'));
    const [mail, ...others] = await lab.mails();
    expect(others).toStrictEqual([]);
    expect(mail?.subject).toBe('COCH is no longer green on Hearing loss (R67): now amber');
    expect(mail?.text).toContain('Still green in the signed-off version: 4.0, since 22 March 2023');
    expect(mail?.text).toContain('and for what is signed off as green and is so no longer');
    for (const kind of [...chatWebhooks, 'amazon-q', 'atom'])
      expect(lab.post(kind).replaceAll(/[\\\u2060]/g, ''), kind).toMatch(
        /Still green in the signed.off version: 4.0, since 22 March 2023/,
      );
    expect(JSON.parse(lab.post('webhook')).data.change).toMatchObject({ from: 'green', to: 'amber' });
    await lab.stop();
  });

  test('announces the removal of what is signed off as green', async () => {
    const lab = await withSignOff(await startLaboratory({ ...settings }));
    await lab.send(removed('COCH'));
    const [mail] = await lab.mails();
    expect(mail?.text).toContain('Still green in the signed-off version: 4.0, since 22 March 2023');
    await lab.stop();
  });

  test('is silent about a downgrade of what the signed-off version does not hold as green', async () => {
    const lab = await withSignOff(await startLaboratory({ ...settings }));
    await lab.send(downgraded('OTOF'), removed('GJB6'));
    expect(await lab.mails()).toStrictEqual([]);
    expect(lab.post('webhook')).toBe('');
    await lab.stop();
  });

  test('is silent about genes that it does not ask for', async () => {
    const lab = await withSignOff(
      await startLaboratory({ counts: 'signed-off', filter: { to: ['green'], genes: ['OTOF'] } }),
    );
    await lab.send(downgraded('COCH'));
    expect(await lab.mails()).toStrictEqual([]);
    await lab.stop();
  });

  test('announces a downgrade where what the signed-off version holds was not read, and says so', async () => {
    const lab = await startLaboratory({ ...settings });
    await lab.states.save(working);
    await lab.states.saveSignOffs([signOffOf('4.0', '2023-03-22')]);
    await lab.send(downgraded('COCH'));
    const [mail] = await lab.mails();
    expect(mail?.text).toContain(
      'The signed-off version is 4.0, since 22 March 2023; it may hold it as green, but its contents were not read',
    );
    await lab.stop();
  });

  test('announces a downgrade of what is signed off as green from a later day', async () => {
    const lab = await startLaboratory({ ...settings });
    for (const state of [signedBefore, signedNow, working]) await lab.states.save(state);
    await lab.states.saveSignOffs([signOffOf('4.0', '2023-03-22'), signOffOf('4.20', '2099-12-01')]);
    await lab.send(downgraded('TMPRSS3'));
    const [mail] = await lab.mails();
    expect(mail?.text).toContain('Still green in version 4.20, which is signed off from 1 December 2099');
    await lab.stop();
  });

  test('does not wait for the next digest with a downgrade of what is signed off as green', async () => {
    const lab = await withSignOff(await startLaboratory({ ...settings, when: { digest: 'monthly' } }));
    await lab.send(downgraded('COCH'));
    expect((await lab.mails()).map(({ subject }) => subject)).toStrictEqual([
      'COCH is no longer green on Hearing loss (R67): now amber',
    ]);
    await lab.stop();
  });
});

test('a webhook gets a sign-off with what it changed, once its versions are read', async () => {
  const lab = await startLaboratory();
  await lab.states.save(working);
  await lab.send(signOff());
  expect(lab.post('webhook')).toBe('');
  for (const state of [signedBefore, signedNow]) await lab.states.save(state);
  await lab.run();
  const { change } = JSON.parse(lab.post('webhook')).data;
  expect(change.signedOffVersion).toBe('4.20');
  expect(change.comparison.entered.map(({ entity }: { entity: object }) => entity)).toStrictEqual([
    { type: 'gene', name: 'OTOF', hgncId: 'HGNC:8515' },
    { type: 'gene', name: 'TMPRSS3', hgncId: 'HGNC:11877' },
  ]);
  expect(change.comparison.left).toMatchObject([
    { entity: { name: 'COCH' }, before: 'green', after: 'amber' },
  ]);
  expect(change.comparison.awaiting).toMatchObject([{ entity: { name: 'GJB6' } }]);
  expect(change.comparison).toMatchObject({ downgraded: [], newest: '4.21', unknown: [] });
  await lab.stop();
});
