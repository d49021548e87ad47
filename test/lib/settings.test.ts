import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseSettings, readSettings, SettingsError } from '../../lib/read-settings.ts';
import { settingsSchemaAt } from '../../lib/settings.ts';
import { newFolder } from '../new-folder.ts';
import { now } from './deploy.ts';

const uk = { base: 'https://panelapp.example.org/api/v1/' };
const parse = (value: unknown) => parseSettings(value, { schema: settingsSchemaAt(now), file: 'lab.json' });

/** The errors of a settings file, one on each line. */
const errorsOf = (value: unknown): readonly string[] => {
  try {
    parse(value);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const [title, ...lines] = error.message.split('\n');
    expect(title).toBe('lab.json cannot be used as settings:');
    return lines.map((line) => line.trim());
  }
  throw new Error('These settings were taken, although they should not be');
};
const stage = (value: object) => ({ stages: { production: { catalogues: { uk }, ...value } } });
const catalogue = (value: object) => ({
  stages: { production: { catalogues: { uk: { ...uk, ...value } } } },
});

describe('a ready example', () => {
  test.each([
    ['notifier.config.ts', 'gene-panel-notifier', 'none'],
    ['notifier.config.australia.ts', 'panelapp-australia', 'header'],
    ['notifier.config.sandbox.json', 'panel-sandbox', 'none'],
  ])('%s is accepted unchanged', async (file, name, access) => {
    const settings = await readSettings(file, { now });
    expect(settings.name).toBe(name);
    const [first] = Object.values(settings.stages);
    const [read] = Object.values(first?.catalogues ?? {});
    expect(read?.access.kind).toBe(access);
  });
});

describe('a missing key', () => {
  test('has the default that the documentation states', () => {
    expect(parse({ stages: { production: { catalogues: { uk } } } })).toEqual({
      name: 'gene-panel-notifier',
      stages: {
        production: {
          catalogues: {
            uk: {
              ...uk,
              access: { kind: 'none' },
              pollEveryMinutes: 5,
              overlapMinutes: 15,
              sweepEveryMinutes: 60,
              shrunkenListingPercent: 20,
              sameChangePercent: 20,
              proveEveryMinutes: 15,
              states: { secondsBetween: 10, requestsPerDay: 2000, requestsPerWeek: 7000 },
              comparedWith: {},
            },
          },
          messages: { secret: 'make' },
          operations: { zone: 'UTC', channels: [] },
          subscriptions: {},
          alarms: {
            silentPolls: 3,
            lagMinutes: 60,
            unclassifiedPercent: 5,
            shrunkenPercent: 10,
            eventsPerHour: 2000,
            quietDays: 7,
            credentialDays: 30,
          },
          dashboard: false,
          reserveExecutions: false,
          retention: { logDays: 90, deadLetterDays: 14 },
          tags: {},
          local: { secrets: {}, feeds: 'feeds' },
        },
      },
    });
  });
});

const openSecret = 'hunter2';
const everyKey =
  'only base, original, movedFrom, access, pollEveryMinutes, startWithinMinutes, overlapMinutes, sweepEveryMinutes, shrunkenListingPercent, sameChangePercent, proveEveryMinutes, states, comparedWith, from';
const addressWanted = 'an https address (http only for localhost) without credentials, query and fragment';

describe('an error names the key, the value and what was expected', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing at all', undefined, '(the whole file): saw nothing, expected an object { … }'],
    ['no stage', { stages: {} }, 'stages: saw {}, expected at least one stage'],
    [
      'no catalogue',
      stage({ catalogues: {} }),
      'stages.production.catalogues: saw {}, expected at least one catalogue',
    ],
    [
      'a name too long for AWS',
      { name: 'gene-panel-notifier-of-our-laboratory', ...stage({}) },
      'name: saw "gene-panel-notifier-of-our-laboratory", expected 2 to 22 lower-case letters, digits and hyphens, a letter first',
    ],
    [
      'a stage with a capital',
      { stages: { Production: { catalogues: { uk } } } },
      'stages.Production: unusable name, expected 2 to 16 lower-case letters, digits and hyphens, a letter first',
    ],
    [
      'a misspelt key',
      catalogue({ polEveryMinutes: 5 }),
      `stages.production.catalogues.uk.polEveryMinutes: unknown key, expected ${everyKey}; did you mean pollEveryMinutes?`,
    ],
    [
      'text for a number',
      catalogue({ pollEveryMinutes: '5' }),
      'stages.production.catalogues.uk.pollEveryMinutes: saw "5", expected a whole number from 1 to 60',
    ],
    [
      'half a minute',
      catalogue({ pollEveryMinutes: 0.5 }),
      'stages.production.catalogues.uk.pollEveryMinutes: saw 0.5, expected a whole number from 1 to 60',
    ],
    [
      'a window as long as the pace',
      catalogue({ startWithinMinutes: 5 }),
      'stages.production.catalogues.uk.startWithinMinutes: saw 5, expected fewer minutes than pollEveryMinutes',
    ],
    [
      'a base without TLS',
      catalogue({ base: 'http://panelapp.example.org/api/v1/' }),
      `stages.production.catalogues.uk.base: saw "http://panelapp.example.org/api/v1/", expected ${addressWanted}`,
    ],
    [
      'a base with a user',
      catalogue({ base: 'https://me:pw@panelapp.example.org/' }),
      `stages.production.catalogues.uk.base: saw "https://me:pw@panelapp.example.org/", expected ${addressWanted}`,
    ],
    [
      'a start without its zone',
      catalogue({ from: '2026-11-01' }),
      `stages.production.catalogues.uk.from: saw "2026-11-01", expected a time with its zone, such as '2026-11-01T00:00:00Z'`,
    ],
    [
      'a start that is still to come',
      catalogue({ from: '2062-01-01T00:00:00Z' }),
      'stages.production.catalogues.uk.from: saw "2062-01-01T00:00:00Z", expected a past time of the year 2000 or later; with a future one nothing would be published until then',
    ],
    [
      'a start a second from now, in another zone',
      catalogue({ from: '2026-11-21T13:00:01+01:00' }),
      expect.stringContaining('catalogues.uk.from: saw "2026-11-21T13:00:01+01:00", expected a past time'),
    ],
    [
      'a start before all logs',
      catalogue({ from: '0206-01-01T00:00:00Z' }),
      expect.stringContaining('catalogues.uk.from: saw "0206-01-01T00:00:00Z", expected a past time'),
    ],
    [
      'an unknown access',
      catalogue({ access: { kind: 'password' } }),
      `stages.production.catalogues.uk.access.kind: saw "password", expected { kind: 'none' }, { kind: 'header', … } or { kind: 'client-credentials', … }`,
    ],
    [
      'client credentials without a tenant',
      catalogue({ access: { kind: 'client-credentials', authUrl: 'https://login.example.org' } }),
      `stages.production.catalogues.uk.access.tenantId: saw nothing, expected the identity provider's tenant, one part of a path`,
    ],
    [
      'a day that is none',
      catalogue({ access: { kind: 'header', credentialExpires: '2027-02-30' } }),
      `stages.production.catalogues.uk.access.credentialExpires: saw "2027-02-30", expected the day on which the credential expires, such as '2027-03-31'`,
    ],
    [
      'an account without a region',
      stage({ account: '123456789012' }),
      'stages.production.account: saw "123456789012", expected account and region together, or neither (the deployment then uses those of the deployer)',
    ],
    [
      'an account as a number',
      stage({ account: 123456789012, region: 'eu-west-2' }),
      "stages.production.account: saw 123456789012, expected an AWS account's twelve digits, as text",
    ],
    [
      'an alarm address that is none',
      stage({ alarms: { email: 'genomics' } }),
      `stages.production.alarms.email: saw "genomics", expected an e-mail address, such as 'genomics-it@example.org'`,
    ],
    [
      'a retention that CloudWatch does not know',
      stage({ retention: { logDays: 100 } }),
      'stages.production.retention.logDays: saw 100, expected one of 7, 14, 30, 60, 90, 180, 365, 400 and 731 days',
    ],
    [
      'a key by its alias',
      stage({ key: 'alias/laboratory' }),
      `stages.production.key: saw "alias/laboratory", expected 'make' (the stack makes one) or the ARN of a KMS key`,
    ],
    [
      'sharing with nobody',
      stage({ share: {} }),
      'stages.production.share: saw {}, expected accounts, organisation or both',
    ],
    [
      'sharing with an account that is none',
      stage({ share: { accounts: ['12345'] } }),
      `stages.production.share.accounts.0: saw "12345", expected an AWS account's twelve digits, as text`,
    ],
    [
      'sharing with everybody',
      stage({ share: { organisation: '*' } }),
      `stages.production.share.organisation: saw "*", expected the id of an organisation, such as 'o-a1b2c3d4e5'`,
    ],
    [
      'a relay at a path',
      stage({ relay: { address: 'https://example.org/panels/' } }),
      'stages.production.relay.address: saw "https://example.org/panels/", expected an address without a path',
    ],
    [
      'a relay of a catalogue elsewhere',
      stage({ relay: { address: 'https://relay.example.org', catalogues: ['uk', 'other'] } }),
      'stages.production.relay.catalogues.1: saw "other", expected a catalogue of the same stage: uk',
    ],
    [
      'a relay of closed catalogues alone',
      stage({
        catalogues: { uk: { ...uk, access: { kind: 'header' } } },
        relay: { address: 'https://relay.example.org' },
      }),
      'stages.production.relay.catalogues: saw nothing, expected the catalogues to relay: each one of this stage needs a credential, so none is relayed unless it is named',
    ],
    [
      'a distribution by its id',
      stage({ relay: { address: 'https://relay.example.org', distribution: 'E1A2B3C4D5E6F7' } }),
      'stages.production.relay.distribution: saw "E1A2B3C4D5E6F7", expected the ARN of a distribution of CloudFront, such as \'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7\'',
    ],
    [
      'a network without subnets',
      stage({ network: { vpc: 'vpc-0a1b2c3d', subnets: [] } }),
      "stages.production.network.subnets: saw [], expected a list of one to 16 ids of a subnet, such as 'subnet-0a1b2c3d'",
    ],
    [
      'a proxy with a user',
      stage({
        network: {
          vpc: 'vpc-0a1b2c3d',
          subnets: ['subnet-0a1b2c3d'],
          proxy: 'http://me:pw@proxy.example.org',
        },
      }),
      `stages.production.network.proxy: saw "http://me:pw@proxy.example.org", expected the address of a proxy without a user and a path, such as 'http://proxy.example.org:3128'`,
    ],
    [
      'a tag that AWS reserves',
      stage({ tags: { 'aws:owner': 'me' } }),
      "stages.production.tags.aws:owner: unusable name, expected a tag's key",
    ],
    [
      'a comparison with itself',
      catalogue({ comparedWith: { uk: {} } }),
      'stages.production.catalogues.uk.comparedWith.uk: saw {}, expected another catalogue of the same stage: there is none',
    ],
    [
      'a subscription to disagreements without a comparison',
      stage({ subscriptions: { us: { filter: { topics: ['disagreements'] }, channels: [] } } }),
      'stages.production.subscriptions.us.filter.topics: saw ["disagreements"], expected catalogues.<name>.comparedWith in the same stage: without it, nothing is compared',
    ],
    [
      'the same by its type',
      stage({ subscriptions: { us: { filter: { types: ['entity.disagreement'] }, channels: [] } } }),
      expect.stringMatching(/^stages.production.subscriptions.us.filter.types: saw .*comparedWith/),
    ],
    [
      'a topic that is none',
      stage({ subscriptions: { us: { topics: ['genes'], email: 'a@example.org' } } }),
      'stages.production.subscriptions.us.topics.0: saw "genes", expected one of classifications, promotions, tags, membership, annotations, reviews, panels, disagreements, unclassified',
    ],
    [
      'a subscription to nowhere',
      stage({ subscriptions: { us: { topics: ['tags'] } } }),
      'stages.production.subscriptions.us.email: saw nothing, expected either an e-mail address or a queue',
    ],
    [
      'more combinations than SNS allows',
      stage({
        subscriptions: {
          us: {
            topics: ['classifications'],
            email: 'a@example.org',
            filter: {
              entityName: Array.from({ length: 80 }, (_, n) => `GENE${n}`),
              direction: ['upgraded', 'new'],
            },
          },
        },
      }),
      expect.stringContaining('expected at most 150 combinations of values, as SNS allows'),
    ],
  ])('%s', (_, value, error) => {
    expect(errorsOf(value)).toEqual([error]);
  });

  const matcher = "or a matcher such as { 'anything-but': […] } or { exists: false }";
  const filtered = (topics: readonly string[], filter: object) =>
    stage({ subscriptions: { us: { topics, email: 'a@example.org', filter } } });
  const at = 'stages.production.subscriptions.us.filter';

  test.each<[string, object, string]>([
    [
      'a rating',
      { ratingTo: ['gren'] },
      `ratingTo.0: saw "gren", expected one of green, amber, red, none, ${matcher}`,
    ],
    [
      'a rating before',
      { ratingFrom: ['Green'] },
      'ratingFrom.0: saw "Green", expected one of green, amber, red',
    ],
    [
      'a direction',
      { direction: ['upgraded', 'up'] },
      'direction.1: saw "up", expected one of upgraded, downgraded',
    ],
    [
      'a kind of entity',
      { entityType: ['snp'] },
      'entityType.0: saw "snp", expected one of gene, str, region, or',
    ],
    [
      'a type',
      { type: ['entity.classified'] },
      'type.0: saw "entity.classified", expected one of gene-panel.entity',
    ],
    [
      'what it excludes',
      { ratingTo: [{ 'anything-but': ['rad'] }] },
      'ratingTo.0: saw {"anything-but":["rad"]}, expected one of green',
    ],
    [
      'a number as text',
      { panelId: ['55'] },
      'panelId.0: saw "55", expected a number, or a matcher such as { numeric:',
    ],
    [
      'a text as number',
      { entityName: [7] },
      "entityName.0: saw 7, expected text, or a matcher such as { prefix: '",
    ],
    [
      'an unknown matcher',
      { entityName: [{ like: 'A' }] },
      'entityName.0: saw {"like":"A"}, expected text, or a matcher',
    ],
    ['no value', { ratingTo: [] }, 'ratingTo: saw [], expected at least one value'],
    ['no list', { ratingTo: 'green' }, 'ratingTo: saw "green", expected a list of values'],
    [
      'a misspelt attribute',
      { ratingsTo: ['green'] },
      'ratingsTo: unknown key, expected only type, catalogue, panelId',
    ],
  ])('a filter that no event can pass: %s', (_, filter, error) => {
    expect(errorsOf(filtered(['classifications'], filter))).toEqual([
      expect.stringContaining(`${at}.${error}`),
    ]);
  });

  test('a filter that no event can pass: a catalogue that is not read', () => {
    expect(errorsOf(filtered(['tags'], { catalogue: ['uk', 'australia', { prefix: 'u' }] }))).toEqual([
      `${at}.catalogue.1: saw "australia", expected a catalogue of the same stage: uk`,
    ]);
  });

  const green = { ratingTo: ['green'] };
  test.each<[string, readonly string[], object, string]>([
    [
      'nowhere on its topic',
      ['reviews'],
      green,
      `${at}.ratingTo: saw ["green"], expected a filter that events of every topic can match: those of reviews never match it, so none would be delivered; leave ratingTo out, or name a topic whose events carry it: classifications`,
    ],
    [
      'on one of two topics',
      ['classifications', 'promotions'],
      green,
      `${at}.ratingTo: saw ["green"], expected a filter that events of every topic can match: those of promotions never match it, so none would be delivered; make two subscriptions, one for promotions without ratingTo`,
    ],
    [
      'on one of three topics',
      ['classifications', 'promotions', 'panels'],
      { entityName: ['BRCA1'] },
      `${at}.entityName: saw ["BRCA1"], expected a filter that events of every topic can match: those of promotions and panels never match it, so none would be delivered; make two subscriptions, one for promotions and panels without entityName`,
    ],
    [
      'on no event of the types that it names',
      ['unclassified', 'promotions'],
      { type: ['gene-panel.panel.promoted.v1'] },
      `${at}.type: saw ["gene-panel.panel.promoted.v1"], expected a filter that events of every topic can match: those of unclassified never match it, so none would be delivered; make two subscriptions, one for unclassified without type`,
    ],
    [
      'on another topic than its type',
      ['tags'],
      { type: ['gene-panel.panel.promoted.v1'] },
      `${at}.type: saw ["gene-panel.panel.promoted.v1"], expected a filter that events of every topic can match: those of tags never match it, so none would be delivered; leave type out, or name a topic whose events carry it: promotions`,
    ],
  ])('a filter by what events carry %s', (_, topics, filter, error) => {
    expect(errorsOf(filtered(topics, filter))).toEqual([error]);
  });

  test('a filter that no event passes, beside other faults of its subscription', () => {
    expect(errorsOf(filtered(['reviews', 'genes'], { ...green, panelId: ['x'] }))).toEqual([
      expect.stringContaining('us.topics.1: saw "genes"'),
      expect.stringContaining(`${at}.panelId.0: saw "x"`),
      expect.stringContaining(`${at}.ratingTo: saw ["green"]`),
    ]);
  });

  test.each<[string, readonly string[], object]>([
    [
      'plain values',
      ['classifications'],
      { ratingTo: ['green', 'amber'], direction: ['upgraded'], panelId: [55] },
    ],
    ['what it may not be', ['classifications'], { ratingTo: [{ 'anything-but': ['red', 'none'] }] }],
    ['what one it may not be', ['classifications'], { ratingFrom: [{ 'anything-but': 'green' }] }],
    ['that it is there', ['classifications'], { ratingFrom: [{ exists: true }] }],
    [
      'absence, also on other topics',
      ['classifications', 'promotions'],
      { ratingTo: ['green', { exists: false }] },
    ],
    [
      'beginnings',
      ['tags', 'panels'],
      { type: [{ prefix: 'gene-panel.' }], panelTypes: [{ prefix: 'gms-' }] },
    ],
    ['ends and wildcards', ['tags'], { entityName: [{ suffix: '1' }, { wildcard: 'BR*A*' }] }],
    [
      'any case',
      ['tags'],
      { entityName: [{ 'equals-ignore-case': 'brca1' }, { 'anything-but': { prefix: 'X' } }] },
    ],
    ['ranges', ['tags'], { panelId: [{ numeric: ['>=', 10, '<', 20] }, { 'anything-but': [12] }] }],
    [
      'types of both topics',
      ['tags', 'promotions'],
      {
        type: ['gene-panel.entity.tags-changed.v1', 'gene-panel.panel.signed-off.v1'],
      },
    ],
    ['an entity of what is not understood', ['unclassified'], { entityName: ['BRCA1'] }],
  ])('a filter may state %s', (_, topics, filter) => {
    const { subscriptions } = parse(filtered(topics, filter)).stages.production ?? {};
    expect(subscriptions?.us?.filter).toEqual(filter);
  });

  test.each(['2026-11-21T12:00:00Z', '2026-11-21T23:00:00+11:00', '2000-01-01T00:00:00Z'])(
    'no error about a start at %s',
    (from) => {
      expect(parse(catalogue({ from })).stages.production?.catalogues.uk?.from).toBe(from);
    },
  );

  test('each of several errors at once', () => {
    expect(errorsOf(stage({ alarms: { lagMinutes: 0 }, retention: { deadLetterDays: 15 } }))).toEqual([
      'stages.production.alarms.lagMinutes: saw 0, expected a whole number from 1 to 10080',
      'stages.production.retention.deadLetterDays: saw 15, expected a whole number from 1 to 14',
    ]);
  });

  test('each of several errors under one wrong name', () => {
    const wrong = { 'Our Lab': { topics: ['genes'], emial: 'a@example.org' } };
    const at = 'stages.production.subscriptions.Our Lab';
    expect([...errorsOf(stage({ subscriptions: wrong }))].sort()).toEqual([
      expect.stringMatching(
        /^stages\.production\.subscriptions\.Our Lab\.email: saw nothing, expected either an e-mail address/,
      ),
      expect.stringMatching(`^${at}.emial: unknown key, expected only topics, email`),
      expect.stringMatching(`^${at}.topics.0: saw "genes", expected one of classifications`),
      expect.stringMatching(`^${at}: unusable name, expected 2 to 60 lower-case letters`),
    ]);
  });

  test('a stage of a wrong name, and an account in it without its region', () => {
    const given = { stages: { Production: { catalogues: { UK: uk }, account: '123456789012', alarms: 5 } } };
    expect([...errorsOf(given)].sort()).toEqual([
      expect.stringMatching('stages.Production.account: saw "123456789012", expected account and region'),
      expect.stringMatching('stages.Production.alarms: saw 5, expected an object'),
      expect.stringMatching('stages.Production.catalogues.UK: unusable name'),
      expect.stringMatching('stages.Production: unusable name'),
    ]);
  });

  test.each([
    ['pasted in place of its ARN', { access: { kind: 'header', secret: openSecret } }],
    ['under a key of its own', { access: { kind: 'header', clientSecret: openSecret } }],
  ])('but not a secret %s', (_, value) => {
    const said = errorsOf(catalogue(value)).join('\n');
    expect(said).toContain('stages.production.catalogues.uk.access');
    expect(said).not.toContain(openSecret);
  });
});

test('a JSON file may begin with a byte order mark', async () => {
  const directory = newFolder();
  const file = join(directory, 'lab.config.json');
  const sandbox = await readFile('notifier.config.sandbox.json', 'utf8');
  await writeFile(file, `\ufeff${sandbox.replaceAll('\n', '\r\n')}`);
  expect((await readSettings(file, { now })).name).toBe('panel-sandbox');
});

test('a syntax error is named with its line', async () => {
  const directory = newFolder();
  const file = join(directory, 'lab.config.mts');
  await writeFile(file, 'export const settings = {\n  stages {},\n};\n');
  // Vitest reads modules by itself; Node states the line in another way.
  const script = `import { readSettings } from './lib/read-settings.ts';
    await readSettings(${JSON.stringify(file)}, { now: new Date() }).catch(({ message }) => console.log(message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toContain("Expected ',', got '{' (line 2 of lab.config.mts); give a settings file");
});

describe('an error in the filter of messages names what was expected', () => {
  test.each<readonly [value: object, error: string]>([
    [{ to: ['gren'] }, 'to.0: saw "gren", expected one of green, amber, red, none, unknown'],
    [{ to: 'green' }, 'to: saw "green", expected a list of values'],
    [{ to: [] }, 'to: saw [], expected at least one value'],
    [{ rCodes: ['59'] }, 'rCodes.0: saw "59", expected a code such as R59 or R59.3'],
    [{ panels: [true] }, 'panels.0: saw true, expected the id or the name of a panel'],
    [{ genes: [7] }, 'genes.0: saw 7, expected text'],
    [{ types: ['promoted'] }, 'types.0: saw "promoted", expected one of entity.classified, panel.promoted'],
    [{ late: 'yes' }, 'late: saw "yes", expected true or false'],
    [{ rcodes: ['R59'] }, 'rcodes: unknown key, expected only catalogues, panels, panelTypes, rCodes'],
  ])('%j', (filter, error) => {
    const subscriptions = { us: { filter, channels: [] } };
    expect(errorsOf(stage({ subscriptions }))).toStrictEqual([
      expect.stringContaining(`stages.production.subscriptions.us.filter.${error}`),
    ]);
  });
});

test.each<readonly [value: object, error: string]>([
  [{ contact: 'a\nb' }, 'contact: saw "a\\nb", expected a person to write to, such as'],
  [
    { page: 'panels.example.org' },
    `page: saw "panels.example.org", expected a page's address without a user`,
  ],
  [{ page: 'https://me:pw@panels.example.org/' }, 'page: saw "https://me:pw@panels.example.org/", expected'],
])('the last lines of messages cannot have %j', (messages, error) => {
  expect(errorsOf(stage({ messages }))).toStrictEqual([
    expect.stringContaining(`stages.production.messages.${error}`),
  ]);
});

describe('an error in the times of messages names the day or key that was meant', () => {
  test.each<readonly [value: object, errors: readonly string[]]>([
    [{ when: { digest: 'weekly', days: ['Mon'] } }, [`when.days.0: saw "Mon", expected 'monday'`]],
    [{ when: { digest: 'daily', days: ['Tuesdy'] } }, [`when.days.0: saw "Tuesdy", expected 'tuesday'`]],
    [
      { when: { digest: 'weekly', days: ['first'] } },
      ['when.days.0: saw "first", expected one of sunday, monday'],
    ],
    [
      { when: { digest: 'weekly', dayz: ['monday'], hour: 25 } },
      [
        'when.hour: saw 25, expected a whole number from 0 to 23',
        'when.dayz: unknown key, expected only digest, hour, days, ifNothing, signOffLag; did you mean days?',
      ],
    ],
    [{ when: { digest: 'wekly' } }, [`when.digest: saw "wekly", expected 'at once', or { digest: 'daily' }`]],
    [{ when: 'weekly' }, [`when: saw "weekly", expected 'at once', or { digest: 'daily' }`]],
  ])('%j', (value, errors) => {
    expect(errorsOf(stage({ subscriptions: { us: { channels: [], ...value } } }))).toStrictEqual(
      errors.map((error) => expect.stringContaining(`stages.production.subscriptions.us.${error}`)),
    );
  });

  test.each<readonly [key: string, meant: string]>([
    ['filtre', 'filter'],
    ['setleMinutes', 'settleMinutes'],
  ])('the unknown key %s', (key, meant) => {
    expect(errorsOf(stage({ subscriptions: { us: { channels: [], [key]: 1 } } }))).toStrictEqual([
      expect.stringMatching(`us.${key}: unknown key, expected only .*; did you mean ${meant}\\?$`),
    ]);
  });

  test('a key that is like no other has no proposal', () => {
    expect(errorsOf(stage({ weather: 1 })).join()).not.toContain('did you mean');
  });
});

describe('a file that cannot be read', () => {
  test.each([
    ['page.html', /page\.html.*expected.*\.json.*\.ts, \.mts, \.js or \.mjs/],
    ['LICENSE', /LICENSE.*expected.*\.json/],
    ['missing.json', /Could not read the settings file .*missing\.json: there is no such file; give/],
    ['missing.config.ts', /missing\.config\.ts: there is no such file; give/],
    ['cdk.json', 'cannot be used as settings'],
    ['vitest.config.ts', "exports no 'settings'"],
  ])('%s: says so', async (file, message) => {
    await expect(readSettings(file, { now })).rejects.toThrow(message);
    await expect(readSettings(file, { now })).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
  });
});

describe('docs/deploying.md', () => {
  const documentation = readFileSync('docs/deploying.md', 'utf8');
  const everything = parse({
    stages: {
      production: {
        catalogues: {
          uk: {
            ...uk,
            access: { kind: 'header', credentialExpires: '2027-01-01' },
            startWithinMinutes: 1,
            from: '2026-11-01T00:00:00Z',
          },
        },
        alarms: { email: 'a@example.org', runbook: 'https://wiki.example.org/runbook' },
        share: { accounts: ['210987654321'], organisation: 'o-a1b2c3d4e5' },
        relay: {
          address: 'https://relay.example.org',
          catalogues: ['uk'],
          secretKey: 'arn:aws:kms:eu-west-2:123456789012:key/11111111-2222-3333-4444-555555555555',
          distribution: 'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7',
        },
        key: 'make',
        network: {
          vpc: 'vpc-0a1b2c3d',
          subnets: ['subnet-0a1b2c3d'],
          securityGroups: ['sg-0a1b2c3d'],
          proxy: 'http://proxy.example.org:3128',
        },
      },
    },
  });
  const keys = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [key, ...keys(inner)])
      : [];

  test.each([...new Set(keys(everything))].filter((key) => !['production', 'uk', 'kind'].includes(key)))(
    'says what %s is',
    (key) => {
      expect(documentation).toMatch(new RegExp(`[\`.{ ]${key}[\`.,: ]`));
    },
  );
});
