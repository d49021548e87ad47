import { describe, expect, test } from 'vitest';
import { createNameBook } from '../../lambdas/filters/names.ts';
import { listedSignOff, signedBefore, startLaboratory, working } from './signed-off-harness.ts';

const digest = { digest: 'weekly', ifNothing: true, signOffLag: true } as const;

type Laboratory = Awaited<ReturnType<typeof startLaboratory>>;

async function nextDigest(lab: Laboratory) {
  await lab.run();
  lab.clock.pass(8 * 24 * 3_600_000);
  await lab.run();
  return (await lab.mails())[0];
}

async function keepStates(lab: Laboratory): Promise<void> {
  for (const state of [signedBefore, working]) await lab.states.save(state);
  await lab.states.saveSignOffs([listedSignOff]);
}

describe('a digest with signOffLag', () => {
  test('lists what is signed off as green and green no longer, then what is green and not signed off, with their ages', async () => {
    const lab = await startLaboratory({ when: digest });
    await keepStates(lab);
    const mail = await nextDigest(lab);
    const text = mail?.text?.replaceAll('\r\n', '\n') ?? '';
    expect(text).toMatch(/What waits for a sign-off, as of \d+ \w+ 20\d\d/);
    expect(text).toMatch(
      /SIGNED OFF AS GREEN, NO LONGER GREEN\s+Hearing loss \(R67\)\s+signed off: 4\.0, since 22 March 2023; newest: 4\.21\s+COCH\s+green → amber/,
    );
    expect(text).toMatch(/GREEN, NOT SIGNED OFF YET \(3\)/);
    expect(text).toMatch(
      /GJB6\s+not on the panel → green\s+since 6 May 2026 or earlier, version 4\.21 \(\d+ days\)/,
    );
    const csv = new TextDecoder().decode(mail?.attachments[0]?.content as ArrayBuffer);
    expect(csv).toContain('"signed off as green, no longer green"');
    expect(csv.split('\r\n').filter((line) => line.startsWith('"green, not signed off yet"'))).toHaveLength(
      3,
    );
    await lab.stop();
  });

  test.each([
    { title: '', names: {} },
    { title: ', also where former names are known', names: { names: createNameBook() } },
  ])(
    'has the genes and panels alone that its filter asks for, and names panels that were not read$title',
    async ({ names }) => {
      const filter = { panels: [126, 999], genes: ['OTOF'] };
      const lab = await startLaboratory({ when: digest, filter }, names);
      await keepStates(lab);
      const { text = '' } = (await nextDigest(lab)) ?? {};
      expect(text).toMatch(/GREEN, NOT SIGNED OFF YET\s/);
      expect(text).toContain('OTOF');
      expect(text).not.toMatch(/GJB6|COCH/);
      expect(text).toContain('Nothing that is signed off as green was found to be no longer green.');
      expect(text.replaceAll(/\s+/g, ' ')).toContain('Panel 999 in uk: its contents were not read.');
      await lab.stop();
    },
  );

  test('says what is unknown where no sign-off was read, never that nothing waits alone', async () => {
    const lab = await startLaboratory({ when: digest });
    await lab.states.save(working);
    const { text = '' } = (await nextDigest(lab)) ?? {};
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'No sign-off of uk is known: its list of signed-off versions has not been read yet',
    );
    expect(text).not.toContain('Nothing was found');
    await lab.stop();
  });

  test('is left out where it is not asked for', async () => {
    const lab = await startLaboratory({ when: { digest: 'weekly', ifNothing: true } });
    await keepStates(lab);
    expect((await nextDigest(lab))?.text).not.toContain('waits for a sign-off');
    await lab.stop();
  });
});
