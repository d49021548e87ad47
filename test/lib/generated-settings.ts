import fc from 'fast-check';
import type { SettingsInput } from '../../lib/settings.ts';

type Stage = SettingsInput['stages'][string];
type Subscription = NonNullable<Stage['subscriptions']>[string];

/** The first value often, the others seldom: one that is too large for AWS must not refuse most settings. */
const mostly = (often: number, ...seldom: readonly number[]): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 10 * seldom.length, arbitrary: fc.constant(often) },
    ...seldom.map((each) => fc.constant(each)),
  );

/** Text of exactly so many characters that begins with a letter and is one of its kind. */
const long = (start: string, length: number): string => start.padEnd(length, 'x').slice(0, length);
const words = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, at) => long(`w${at}-`, length));

const filter = fc.record(
  {
    to: fc.constant(['green'] as const),
    direction: fc.constant(['upgraded', 'new', 'unknown'] as const),
    rCodes: fc.integer({ min: 1, max: 160 }).map((count) => words(count, 1).map((_, at) => `R${at + 1}`)),
    genes: fc.integer({ min: 1, max: 150 }).map((count) => words(count, 60)),
    panels: fc.integer({ min: 1, max: 200 }).map((count) => words(count, 60)),
    panelTypes: fc.integer({ min: 1, max: 30 }).map((count) => words(count, 60)),
  },
  { requiredKeys: [] },
);

const channels = fc
  .subarray(
    [
      'email',
      'smtp',
      'slack',
      'slack-bot',
      'teams',
      'mattermost',
      'google-chat',
      'webex',
      'amazon-q',
      'webhook',
      'atom',
    ] as const,
    { minLength: 1 },
  )
  .chain((kinds) =>
    fc.record({
      kinds: fc.constant(kinds),
      addresses: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 250 })),
    }),
  );

const channelsOf = (
  name: string,
  { kinds, addresses }: { readonly kinds: readonly string[]; readonly addresses: number },
) =>
  kinds.flatMap((kind) => {
    const mails = Array.from({ length: addresses }, (_, at) => `${name.slice(0, 20)}-${at}@example.org`);
    if (kind === 'email') return mails.map((to) => ({ kind, to }));
    if (kind === 'smtp') return [{ kind, to: mails }];
    if (kind === 'slack-bot') return [{ kind, bot: 'lab-bot', channel: 'C0123456789' }];
    if (kind === 'webex') return [{ kind, bot: 'lab-bot', room: 'Y2lzY29zcGFyazovL3VzL1JPT00v' }];
    if (kind === 'amazon-q' || kind === 'atom') return [{ kind }];
    return [{ kind, webhook: long(`w-${name}`, 60) }];
  });

const families = [
  'classifications',
  'promotions',
  'tags',
  'membership',
  'annotations',
  'reviews',
  'panels',
  'unclassified',
] as const;

/** How a subscription looks but for its name: the same for all of one kind, so that hundreds of them can be alike. */
const subscription = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kinds: ['email'], addresses: 1, filter: { to: ['green'] } }) },
  { weight: 1, arbitrary: fc.constant({ kinds: ['amazon-q'], addresses: 1, filter: {} }) },
  { weight: 1, arbitrary: fc.constant({ kinds: ['atom', 'slack'], addresses: 1, filter: {} }) },
  {
    weight: 3,
    arbitrary: fc.tuple(channels, filter).map(([given, wanted]) => ({ ...given, filter: wanted })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      topics: fc.subarray([...families], { minLength: 1 }),
      panelNames: mostly(0, 3, 150),
    }),
  },
);
type Form = ReturnType<typeof subscription.generate>['value'];

function subscriptionOf(name: string, form: Form): Subscription {
  if ('topics' in form) {
    return {
      topics: form.topics,
      queue: `arn:aws:sqs:eu-west-2:210987654321:${name}`,
      filter: form.panelNames === 0 ? {} : { panelTypes: words(form.panelNames, 60) },
    } as Subscription;
  }
  return { filter: form.filter, channels: channelsOf(name, form) } as Subscription;
}

/** Few subscriptions more often than many: every size is drawn, and a run takes minutes. */
const countOf = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 60, max: 180 }) },
  { weight: 1, arbitrary: fc.integer({ min: 180, max: 500 }) },
);

const subscriptions = fc
  .record({
    count: countOf,
    length: fc.constantFrom(8, 60),
    forms: fc.array(subscription, { minLength: 1, maxLength: 4 }),
  })
  .map(({ count, length, forms }) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => {
        const name = long(`s${at}-`, length);
        const form = forms[at % forms.length] as Form;
        // A list of mail is long where subscriptions are few.
        return [
          name,
          subscriptionOf(name, count > 8 && 'addresses' in form ? { ...form, addresses: 1 } : form),
        ];
      }),
    ),
  );

const secret = (name: string): string =>
  `arn:aws:secretsmanager:eu-west-2:123456789012:secret:${long(name, 200)}-AbCdEf`;
const keyArn = 'arn:aws:kms:eu-west-2:123456789012:key/11111111-2222-3333-4444-555555555555';

const catalogues = fc
  .record({
    count: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 14 })),
    pathLength: mostly(8, 200, 1_500),
    access: fc.constantFrom('none', 'header', 'client-credentials'),
    own: fc.boolean(),
  })
  .map(({ count, pathLength, access, own }) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => {
        const secrets = own ? { secret: secret(`c${at}`), secretKey: keyArn } : {};
        return [
          long(`c${at}-`, 16),
          {
            base: `https://c${at}.example.org/${long('p', pathLength)}/api/v1/`,
            access: {
              kind: access,
              ...(access !== 'none' && { ...secrets, credentialExpires: '2027-03-31' }),
              ...(access === 'client-credentials' && {
                authUrl: 'https://login.example.org',
                tenantId: long('t', 64),
                resource: `https://${long('r', 200)}.example.org`,
              }),
            },
          },
        ];
      }),
    ),
  );

const stage = fc.record(
  {
    catalogues,
    subscriptions,
    messages: fc.constant({
      contact: 'genomics-it@example.org',
      relay: { host: 'mail.example.org', from: 'panels@example.org', login: 'relay' },
    }),
    operations: fc.constant({
      channels: [
        { kind: 'email', to: 'operations@example.org' },
        { kind: 'amazon-q' },
        { kind: 'atom' },
        { kind: 'slack', webhook: 'it-slack' },
      ],
    }),
    alarms: fc.record({
      email: fc.constant('genomics-it@example.org'),
      runbook: mostly(40, 600, 1_200).map((length) => `https://wiki.example.org/${long('p', length)}`),
    }),
    dashboard: fc.boolean(),
    export: fc.constant({ retentionDays: 3650 }),
    eventBus: fc.constantFrom(
      'platform',
      `arn:aws:events:eu-west-2:210987654321:event-bus/${long('b', 200)}`,
    ),
    worklist: fc.constant({ filter: { rCodes: ['R208'] } }),
    page: fc.constant({
      signIn: {
        provider: { issuer: 'https://login.example.org', clientId: 'gene-panel-page' },
        roles: { claim: 'roles', reader: ['panels-read'], decider: ['panels-decide'] },
      },
      clientSecret: secret('page'),
      clientSecretKey: keyArn,
    }),
    relay: fc.constant({
      address: 'https://relay.example.org',
      catalogues: [long('c0-', 16)],
      secret: secret('relay'),
      secretKey: keyArn,
      distribution: 'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7',
    }),
    key: fc.constantFrom('make', keyArn),
    network: fc
      .record({
        subnets: mostly(2, 16, 20),
        groups: mostly(0, 5, 8),
        proxy: fc.boolean(),
      })
      .map(({ subnets, groups, proxy }) => ({
        vpc: 'vpc-0a1b2c3d',
        subnets: Array.from(
          { length: subnets },
          (_, at) => `subnet-${(at + 16).toString(16).padStart(17, '0')}`,
        ),
        ...(groups > 0 && {
          securityGroups: Array.from(
            { length: groups },
            (_, at) => `sg-${(at + 16).toString(16).padStart(17, '0')}`,
          ),
        }),
        ...(proxy && { proxy: 'http://proxy.example.org:3128' }),
      })),
    tags: mostly(1, 45, 60).map((count) =>
      Object.fromEntries(words(count, 40).map((key) => [key, long('v', 200)])),
    ),
  },
  { requiredKeys: ['catalogues', 'subscriptions', 'messages', 'alarms'] },
);

/** Settings of one stage, from one subscription to five hundred, with names as long as they may be. */
export const generatedSettings: fc.Arbitrary<SettingsInput> = fc
  .record({
    name: fc.constantFrom('panels', long('n', 22)),
    stage: fc.constantFrom('test', long('s', 16)),
    of: stage,
  })
  .map(
    ({ name, stage: stageName, of }) => ({ name, stages: { [stageName]: of } }) as unknown as SettingsInput,
  );
