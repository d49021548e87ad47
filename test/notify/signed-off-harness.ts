import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { NameBook } from '../../lambdas/filters/names.ts';
import { openSenders } from '../../lambdas/notify/deliver.ts';
import { createNotifier } from '../../lambdas/notify/notifier.ts';
import { readNotifyPlan, type Subscription } from '../../lambdas/notify/subscription.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { SignOff } from '../../lambdas/panels/version-state.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { messageSubscriptionSchema, subscriptionOf } from '../../lib/subscription-settings.ts';
import { startReceivers } from '../aws/receivers.ts';
import { chatWebhooks } from '../channels/chat-webhooks.ts';
import { secretsOf } from '../channels/open-channels.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { breast, eventOf } from '../words/events.ts';
import { planOf } from './notify-harness.ts';

export const hearing = {
  ...breast,
  id: 126,
  name: 'Hearing loss',
  relevantDisorders: ['R67'],
  version: '4.21',
  signedOffVersion: '4.0',
  signedOffDate: '2023-03-22',
};

export const gene = (name: string, rating: 'green' | 'amber', hgncId: string) =>
  madeUpGene(name, { rating, hgncId, modeOfInheritance: 'BIALLELIC, autosomal or pseudoautosomal' });

const version = (number: string, validFrom: string, entities: ReturnType<typeof gene>[]) =>
  madeUpState({
    panelId: 126,
    panelName: 'Hearing loss',
    version: number,
    relevantDisorders: ['R67'],
    validFrom: at(validFrom),
    readAt: at('2026-05-07T00:00:00'),
    entities,
  });

export const signedBefore = version('4.0', '2023-03-22T00:00:00', [
  gene('COCH', 'green', 'HGNC:2180'),
  gene('OTOF', 'amber', 'HGNC:8515'),
]);
export const signedNow = version('4.20', '2026-05-05T00:00:00', [
  gene('COCH', 'amber', 'HGNC:2180'),
  gene('OTOF', 'green', 'HGNC:8515'),
  gene('TMPRSS3', 'green', 'HGNC:11877'),
]);
export const working = version('4.21', '2026-05-06T00:00:00', [
  ...signedNow.entities.map((each) => gene(each.name, each.rating as 'green', each.hgncId ?? '')),
  gene('GJB6', 'green', 'HGNC:4288'),
]);

export const signOff = (change: Partial<PanelEvent<'panel.signed-off'>['data']['change']> = {}): PanelEvent =>
  eventOf(
    'panel.signed-off',
    {
      signedOff: true,
      signedOffVersion: '4.20',
      signedOffDate: '2026-05-06',
      previousSignedOffVersion: '4.0',
      previousSignedOffDate: '2023-03-22',
      via: 'snapshot',
      ...change,
    },
    { panel: { ...hearing, signedOffVersion: '4.20', signedOffDate: '2026-05-06' }, actor: null },
  );

/** The sign-off that the catalogue lists of the version signed before. */
export const listedSignOff: SignOff = {
  panelId: 126,
  panelName: 'Hearing loss',
  version: '4.0',
  date: '2023-03-22',
  listedAt: instantOf(0),
  removedAt: null,
};

/** Another sign-off as the list of signed-off versions states it; of those of one day, the last listed counts. */
export const listed = (version: string, date: string, listedAt = 0): SignOff => ({
  ...listedSignOff,
  version,
  date,
  listedAt: instantOf(listedAt),
});

interface LaboratoryParts {
  readonly names?: NameBook;
  readonly clock?: ReturnType<typeof createTestClock>;
  /** What was published before. */
  readonly history?: Pick<History, 'coverage' | 'find'>;
  /** What panels hold; empty by default. */
  readonly states?: PanelStateStore;
}

const ownStates = (clock: Pick<ReturnType<typeof createTestClock>, 'now'>): PanelStateStore =>
  createSqlitePanelStates({ file: openStateFile(), catalogue: 'uk', now: clock.now });

/** A laboratory with every channel that a server of its own can take, and the states of one catalogue. */
export async function startLaboratory(
  settings: Partial<Parameters<typeof messageSubscriptionSchema.parse>[0] & object> = {},
  { names, history, clock = createTestClock(), states = ownStates(clock) }: LaboratoryParts = {},
) {
  const receivers = await startReceivers();
  const posts = new Map<string, string>();
  const parsed = messageSubscriptionSchema.parse({
    zone: 'Europe/London',
    channels: [
      { kind: 'smtp', to: ['lab@example.org'] },
      ...chatWebhooks.map((kind) => ({ kind, webhook: kind })),
      { kind: 'slack-bot', bot: 'slack-bot', channel: 'C0123456789' },
      { kind: 'webex', bot: 'webex', room: 'Y2lzY29zcGFyazovL3VzL1JPT00v' },
      { kind: 'amazon-q' },
      { kind: 'atom' },
      { kind: 'webhook', webhook: 'webhook' },
    ],
    ...settings,
  });
  const subscription: Subscription = subscriptionOf('sign-offs', parsed);
  const bots: Readonly<Record<string, string>> = { 'slack-bot': 'chat.postMessage', webex: 'messages' };
  const webhooks = [...chatWebhooks, 'webhook'];
  const notifier = createNotifier({
    // As a deployment hands it over.
    plan: readNotifyPlan(JSON.stringify(planOf(subscription)), 'plan.json'),
    store: memoryItems(() => clock.now()),
    senders: openSenders({
      secrets: secretsOf({
        ...Object.fromEntries(webhooks.map((kind) => [kind, receivers.address(kind)])),
        ...Object.fromEntries(
          Object.keys(bots).map((kind) => [kind, { token: 'a-token', url: receivers.address(`${kind}/`) }]),
        ),
      }),
      clock,
      log: silentLog,
      publish: async (message) => `${posts.set('amazon-q', message.text).size}`,
      relay: { host: '127.0.0.1', port: receivers.mailPort, security: 'none', from: 'panels@example.org' },
      writeFeed: async (_name, xml) => void posts.set('atom', xml),
    }),
    history: history ?? null,
    statesOf: () => states,
    ...(names && { names: async () => names }),
    clock,
    log: silentLog,
    runId: 'run',
    keepDeadLetter: async () => {},
  });
  await notifier.run();
  return {
    clock,
    states,
    async send(...events: readonly PanelEvent[]) {
      for (const event of events) await notifier.receive(event);
      clock.pass(61 * 60_000);
      await notifier.run();
    },
    run: () => notifier.run(),
    mails: () => receivers.takeMails('lab@example.org'),
    post: (kind: string): string =>
      posts.get(kind) ?? receivers.takePosted(kind in bots ? `${kind}/${bots[kind]}` : kind)[0]?.body ?? '',
    stop: () => receivers.stop(),
  };
}
