import { expect, onTestFinished, test } from 'vitest';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { openProvingHarness } from '../panels/proving-harness.ts';
import { createTestClock } from '../run/test-clock.ts';
import { startLaboratory } from './signed-off-harness.ts';

const HOUR = 3_600_000;

/** A catalogue, what reads it, and a laboratory that gets mails about sign-offs. */
async function start() {
  const clock = createTestClock({ now: Date.UTC(2026, 2, 2, 9) });
  const sandbox = await startCatalogue({ clock, history: 60, seed: 7, signOffs: 'last' });
  const harness = openProvingHarness({ url: sandbox.url, clock, readsSignOffs: true });
  const client = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  const filter = { types: ['panel.signed-off'] };
  const lab = await startLaboratory({ filter }, { clock, states: harness.states });
  onTestFinished(async () => {
    await lab.stop();
    await client.close();
    await harness.close();
    await sandbox.close();
  });
  const read = async (): Promise<void> => {
    clock.pass(25 * HOUR);
    await harness.poll();
    await harness.sweep();
    await harness.readSignOffs();
    await harness.prove();
  };
  await read();
  return {
    sandbox,
    read,
    client,
    /** Hands all that was published since the last call to the laboratory; returns its mails. */
    async deliver() {
      const messages = harness.accepted.splice(0);
      await lab.send(...messages.map(({ body }) => JSON.parse(body) as PanelEvent));
      return lab.mails();
    },
    async greenAt(id: number, version?: string): Promise<ReadonlySet<string>> {
      const detail = await client.panelDetail(id, version);
      const held = [...(detail?.genes ?? []), ...(detail?.strs ?? []), ...(detail?.regions ?? [])];
      return new Set(
        held.filter(({ confidence_level: level }) => Number(level) >= 3).map(({ entity_name: name }) => name),
      );
    },
    signedOff: async (id: number) => (await client.signedOff()).items.find((one) => one.id === id),
  };
}

const without = (one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
  [...one].filter((name) => !other.has(name)).sort();

test('a sign-off in the catalogue becomes a mail that says what is new in the version, with the list attached', async () => {
  const { sandbox, read, deliver, greenAt, signedOff } = await start();
  await deliver();
  const { id } = sandbox.act({ kind: 'sign off the present version' }).panel;
  await read();
  await deliver();
  const before = await signedOff(id);
  for (let times = 0; times < 12; times += 1) sandbox.act({ kind: 'rate', panel: id });
  await read();
  sandbox.act({ kind: 'sign off the present version', panel: id });
  for (let times = 0; times < 6; times += 1) sandbox.act({ kind: 'rate', panel: id });
  const now = await signedOff(id);
  await read();

  const [greenThen, green, greenSince] = [
    await greenAt(id, before?.version),
    await greenAt(id, now?.version),
    await greenAt(id),
  ];
  const expected = {
    'now green in the signed-off version': without(green, greenThen),
    'no longer green in the signed-off version': without(greenThen, green),
    'green since, not signed off yet': without(greenSince, green),
    'signed off as green, and no longer green since': without(green, greenSince),
  };
  const [mail, ...others] = await deliver();
  expect(others).toStrictEqual([]);
  expect(mail?.subject).toContain(` ${now?.version} is signed off: `);
  expect(mail?.subject).toContain(`fewer than in ${before?.version}`);
  expect(mail?.text).toContain(`Signed off: version ${now?.version}, on `);
  expect(mail?.text).toContain(`(before: ${before?.version}, since `);
  const [file] = mail?.attachments ?? [];
  expect(file?.filename).toMatch(/-sign-off\.csv$/);
  const lines = new TextDecoder().decode(file?.content as ArrayBuffer).split('\r\n');
  const found = Object.keys(expected).map((list) => {
    const own = lines.filter((line) => line.startsWith(list) || line.startsWith(`"${list}"`));
    return [list, own.map((line) => line.match(/,(?:gene|str|region),([^,]+),/)?.[1]).sort()];
  });
  expect(Object.fromEntries(found)).toStrictEqual(expected);
  expect(Object.values(expected).flat().length).toBeGreaterThan(2);
  for (const name of Object.values(expected).flat()) expect(mail?.text).toContain(name);
});
