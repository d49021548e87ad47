import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type NotifierStack, notifierStacks } from '../../lib/gene-panel-notifier.ts';
import { parseSettings } from '../../lib/read-settings.ts';
import { type SettingsInput, settingsSchemaAt } from '../../lib/settings.ts';

/** When the settings of these tests are read. */
export const now = new Date('2026-11-21T12:00:00Z');

type StageInput = SettingsInput['stages'][string];

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));

/**
 * An app with the flags of cdk.json, but without two things that take seconds: bundling, and the CDK's validation of
 * templates. test/lib/app.long.test.ts has both.
 */
export const app = (): App =>
  new App({
    context: { ...context, 'aws:cdk:bundling-stacks': [] },
    builtinCloudFormationValidation: false,
  });

/** Where alarms go and where the runbook is, so that synthesis has nothing to warn of. */
const alarms = { email: 'genomics-it@example.org', runbook: 'https://wiki.example.org/runbook' };

/** The stack of one stage of a settings file; its alarms are complete unless the stage states its own. */
export function stackOf(stage: StageInput, within = app()): NotifierStack {
  const settings = parseSettings(
    { name: 'panels', stages: { test: { alarms, ...stage } } },
    { schema: settingsSchemaAt(now), file: 'test' },
  );
  const [stack] = notifierStacks(within, settings);
  if (stack === undefined) throw new Error('The settings gave no stack');
  return stack;
}

const templates = new Map<string, Template>();

/** Its template; each variant of the settings is synthesised once. */
export function deploy(stage: StageInput): Template {
  const variant = JSON.stringify(stage);
  const template = templates.get(variant) ?? Template.fromStack(stackOf(stage));
  templates.set(variant, template);
  return template;
}

export const uk = { base: 'https://panelapp.example.org/api/v1/' } as const;

/** One catalogue of each kind of access, each thing that can be subscribed, and every alarm. */
export const everything: StageInput = {
  catalogues: {
    uk,
    australia: {
      base: 'https://panelapp.example.org.au/api/v1/',
      access: { kind: 'header', credentialExpires: '2027-03-31' },
      pollEveryMinutes: 15,
      overlapMinutes: 60,
      comparedWith: { uk: {}, closed: { pairs: fileURLToPath(new URL('pairs.csv', import.meta.url)) } },
    },
    closed: {
      base: 'https://closed.example.org/api/v1/',
      access: {
        kind: 'client-credentials',
        authUrl: 'https://login.example.org',
        tenantId: '11111111-2222-3333-4444-555555555555',
        resource: 'https://api.example.org',
        secret: 'arn:aws:secretsmanager:eu-west-2:123456789012:secret:closed-AbCdEf',
        secretKey: 'arn:aws:kms:eu-west-2:123456789012:key/11111111-2222-3333-4444-555555555555',
      },
      from: '2026-11-01T00:00:00Z',
    },
  },
  subscriptions: {
    genetics: {
      topics: ['classifications'],
      email: 'genetics@example.org',
      filter: { ratingTo: ['green'], panelId: [55] },
    },
    signatories: {
      topics: ['promotions', 'panels'],
      email: 'genetics@example.org',
      filter: { panelId: [{ numeric: ['>', 50] }] },
    },
    everything: {
      filter: { rCodes: ['R208'], to: ['green'] },
      zone: 'Europe/London',
      channels: [
        { kind: 'email', to: 'lab@example.org' },
        { kind: 'smtp', to: ['lab@example.org'], names: 'initials' },
        { kind: 'slack', webhook: 'lab-slack' },
        { kind: 'teams', webhook: 'lab-teams', comments: 'dropped' },
        { kind: 'amazon-q' },
        { kind: 'webhook', webhook: 'pipeline' },
        { kind: 'atom' },
      ],
    },
    weekly: {
      filter: { topics: ['promotions'] },
      when: { digest: 'weekly', hour: 8, days: ['monday'] },
      channels: [{ kind: 'email', to: 'lab@example.org' }],
    },
    pipeline: { topics: ['tags'], queue: 'arn:aws:sqs:eu-west-2:123456789012:pipeline' },
  },
  messages: {
    contact: 'genomics-it@example.org',
    page: 'https://panels.example.org/',
    relay: { host: 'mail.example.org', from: 'panels@example.org', login: 'relay' },
  },
  operations: { channels: [{ kind: 'slack', webhook: 'it-slack' }] },
  export: { retentionDays: 3650 },
  eventBus: 'platform',
  share: { accounts: ['210987654321', '321098765432'], organisation: 'o-a1b2c3d4e5' },
  worklist: { filter: { rCodes: ['R208'] } },
  page: {
    signIn: {
      provider: { issuer: 'https://login.example.org', clientId: 'gene-panel-page' },
      roles: { claim: 'roles', reader: ['panels-read'], decider: ['panels-decide'] },
    },
    zone: 'Europe/London',
  },
  relay: {
    address: 'https://relay.example.org',
    distribution: 'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7',
  },
  alarms,
  tags: { purpose: 'panels' },
};

/** The same with a key for everything, in a network of the laboratory's own. */
export const fullest: StageInput = {
  ...everything,
  key: 'make',
  dashboard: true,
  network: {
    vpc: 'vpc-0a1b2c3d',
    subnets: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'],
    proxy: 'http://proxy.example.org:3128',
  },
};
