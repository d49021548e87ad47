import type { PanelEvent } from 'gene-panel-notifier/consumer';
import { openPanelVersions } from 'gene-panel-notifier/impact';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Case } from '../../examples/re-analysis/case.ts';
import { signedOffReAnalysis } from '../../examples/re-analysis/signed-off.ts';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { example } from '../consumer/recorded-batch.ts';
import { createTestClock } from '../run/test-clock.ts';

type SignedOff = PanelEvent<'panel.signed-off'>;

interface Versions {
  readonly catalogueUrl: string;
  readonly panelId: number;
  readonly before: string;
  readonly now: string;
  /** Green at `now` and not at `before`. */
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

let versions: Versions;
beforeAll(async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const sandbox = await startCatalogue({ clock, history: 700, seed: 3 });
  const client = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log });
  const greensOf = async (id: number, version?: string): Promise<ReadonlySet<string>> => {
    const detail = await client.panelDetail(id, version);
    const all = [...(detail?.genes ?? []), ...(detail?.strs ?? []), ...(detail?.regions ?? [])];
    return new Set(
      all.filter(({ confidence_level: level }) => Number(level) >= 3).map((one) => one.entity_name),
    );
  };
  const candidates = (await client.panels()).flatMap(({ id, version: now }) =>
    ['0.0', '0.2', '0.4', '0.6', '0.8', '0.10'].map((before) => ({ id, now, before })),
  );
  for (const { id, now, before } of candidates) {
    if (!(await client.panelDetail(id, before))) continue;
    const [earlier, later] = [await greensOf(id, before), await greensOf(id)];
    const entered = [...later].filter((name) => !earlier.has(name));
    const left = [...earlier].filter((name) => !later.has(name));
    if (entered.length === 0 || left.length === 0) continue;
    versions = { catalogueUrl: sandbox.url, panelId: id, before, now, entered, left };
    break;
  }
  return async () => {
    await client.close();
    await sandbox.close();
  };
});

const eventOf = (change: SignedOff['data']['change']): SignedOff => {
  const event = example<SignedOff>('gene-panel.panel.signed-off.v1');
  const panel = {
    ...event.data.panel,
    id: versions.panelId,
    name: 'Hearing loss',
    relevantDisorders: ['R67'],
  };
  return { ...event, data: { ...event.data, panel, change } };
};

const signOff = (): SignedOff =>
  eventOf({
    signedOff: true,
    signedOffVersion: versions.now,
    signedOffDate: '2026-11-20',
    previousSignedOffVersion: versions.before,
    previousSignedOffDate: '2025-11-20',
    via: 'activity',
  });

const analysed = (request: string, version: string): Case => ({
  request,
  version: 1,
  panels: [{ id: versions.panelId, version }],
});

function start(cases: readonly Case[]) {
  const archive = openPanelVersions({ catalogueUrl: versions.catalogueUrl, log });
  onTestFinished(() => archive.close());
  const sent: { readonly subject: string; readonly text: string }[] = [];
  const claimed = new Set<string>();
  const handle = signedOffReAnalysis({
    readCases: async () => ({ items: cases, complete: true }),
    versions: archive,
    register: {
      claim: async (found) => found.filter(({ name }) => !claimed.has(name) && claimed.add(name)),
    },
    recipients: [{ name: 'topic', send: async (message) => void sent.push(message) }],
    once: async (_id, work) => work(),
  });
  return { handle, sent };
}

describe('a sign-off', () => {
  test('gives the net difference between the two versions, and the cases that it concerns', async () => {
    const { handle, sent } = start([analysed('1', versions.before), analysed('2', versions.now)]);
    await handle(signOff());
    expect(sent).toHaveLength(1);
    const [{ text, subject } = { text: '', subject: '' }] = sent;
    expect(subject).toBe(`Hearing loss (R67) ${versions.now} is signed off: look again at 1 case`);
    expect(text).toContain(
      `Hearing loss (R67): version ${versions.now} is signed off, from 2026-11-20. Before: version ${versions.before}, from 2025-11-20.`,
    );
    const lineOf = (words: string): string => text.split('\n').find((line) => line.includes(words)) ?? '';
    for (const name of versions.entered) expect(lineOf('Green now and not in version')).toContain(name);
    for (const name of versions.left) expect(lineOf('and not now')).toContain(name);
    for (const name of [...versions.entered, ...versions.left])
      expect(lineOf('  1, version 1: ')).toContain(name);
    expect(text).not.toContain('2, version 1');
  });

  test('is listed once for a case, also where the event comes again', async () => {
    const { handle, sent } = start([analysed('1', versions.before)]);
    await handle(signOff());
    await handle({ ...signOff(), id: 'f'.repeat(32) });
    expect(sent).toHaveLength(1);
  });

  test('lists a case whose version the archive lacks, with the reason', async () => {
    const { handle, sent } = start([analysed('1', '77.7')]);
    await handle(signOff());
    expect(sent[0]?.text).toContain(
      'analysed with version 77.7; what changed is unknown: the catalogue keeps no archive of version 77.7',
    );
  });

  test.each<[string, SignedOff['data']['change']]>([
    ['that was removed', { signedOff: false, previousSignedOffVersion: '0.1', via: 'activity' }],
    ['whose version is unknown', { signedOff: true, via: 'activity' }],
  ])('%s gives no list', async (_, change) => {
    const { handle, sent } = start([analysed('1', versions.before)]);
    await handle(eventOf(change));
    expect(sent).toEqual([]);
  });
});
