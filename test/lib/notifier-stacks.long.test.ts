import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { describe, expect, test } from 'vitest';
import { GenePanelNotifier, notifierStacks } from '../../lib/gene-panel-notifier.ts';
import { parseSettings, readSettings } from '../../lib/read-settings.ts';
import { defineSettings, type SettingsInput, settingsSchemaAt } from '../../lib/settings.ts';
import { app, now, uk } from './deploy.ts';

const login = (tenantId: string) =>
  ({ kind: 'client-credentials', authUrl: 'https://login.example.org', tenantId }) as const;
const input: SettingsInput = {
  name: 'panels',
  stages: {
    'non-production': {
      catalogues: { uk: { ...uk, access: login('trial-tenant') } },
      alarms: { email: 'a@example.org' },
      tags: { purpose: 'trial' },
    },
    production: {
      account: '123456789012',
      region: 'eu-west-2',
      catalogues: { uk: { ...uk, access: login('real-tenant') } },
      alarms: { email: 'a@example.org' },
    },
  },
};
const settings = parseSettings(input, { schema: settingsSchemaAt(now), file: 'test' });

describe('stages', () => {
  const [trial, production] = notifierStacks(app(), settings).map((stack) => ({
    stack,
    template: Template.fromStack(stack),
  }));

  test('are stacks of their own names', () => {
    expect([trial?.stack.stackName, production?.stack.stackName]).toEqual([
      'panels-non-production',
      'panels-production',
    ]);
  });

  test.each([
    [trial, 'trial-tenant', 'panels-non-production'],
    [production, 'real-tenant', 'panels-production'],
  ])('have their own tenant, metrics and names', (stage, tenant, prefix) => {
    stage?.template.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `${prefix}-poll-uk`,
      Environment: { Variables: { TENANT_ID: tenant, METRICS_NAMESPACE: prefix } },
    });
  });

  test('go to the account and region of the settings, or to those of the deployer', () => {
    expect(production?.stack.environment).toBe('aws://123456789012/eu-west-2');
    expect(trial?.stack.environment).toBe('aws://unknown-account/unknown-region');
  });

  test('put their tags on every resource that supports them', () => {
    const tagged = { Tags: [{ Key: 'purpose', Value: 'trial' }] };
    trial?.template.hasResourceProperties('AWS::DynamoDB::Table', tagged);
    trial?.template.hasResourceProperties('AWS::SNS::Topic', tagged);
  });

  test('can be chosen one at a time', () => {
    const stacks = notifierStacks(app(), settings, { only: 'production' });
    expect(stacks.map(({ stackName }) => stackName)).toEqual(['panels-production']);
  });

  test.each(['staging', 'constructor'])('%s: refused, because no stage has that name', (only) => {
    expect(() => notifierStacks(app(), settings, { only })).toThrow(
      `There is no stage "${only}" in the settings; expected one of non-production, production`,
    );
  });

  const complete = { email: 'a@example.org', runbook: 'https://wiki.example.org/runbook' };
  const noAddress = 'no person is notified of an alarm';
  const noRunbook = 'alarms name docs/runbook.md and a heading, without a link';
  test.each([
    ['no alarm address', { ...complete, email: undefined }, [noAddress]],
    ['no address of the runbook', { ...complete, runbook: undefined }, [noRunbook]],
    ['neither', undefined, [noAddress, noRunbook]],
    ['both', complete, []],
  ])('give warnings about missing alarm settings: given %s', (_, alarms, warnings) => {
    const root = app();
    const open = { name: 'panels', stages: { test: { catalogues: { uk }, alarms } } };
    notifierStacks(root, parseSettings(open, { schema: settingsSchemaAt(now), file: 'test' }));
    const { messages } = root.synth().getStackByName('panels-test');
    const said = messages.filter(({ level }) => level === 'warning').map(({ entry }) => entry.data);
    expect(said).toEqual(warnings.map((warning) => expect.stringContaining(warning)));
  });
});

test('give a warning about a catalogue on this machine, such as the sandbox', async () => {
  const root = app();
  notifierStacks(root, await readSettings('notifier.config.sandbox.json', { now }));
  const { messages } = root.synth().getStackByName('panel-sandbox-non-production');
  expect(messages.map(({ entry }) => entry.data)).toContainEqual(
    expect.stringContaining(
      'catalogues.sandbox.base is http://localhost:8080/api/v1/: on AWS this address is the function itself',
    ),
  );
});

describe('the construct', () => {
  test('works in another stack, in an app without this project’s flags', () => {
    const stack = new Stack(
      new App({ context: { 'aws:cdk:bundling-stacks': [] }, builtinCloudFormationValidation: false }),
      'Laboratory',
    );
    const notifier = new GenePanelNotifier(stack, 'Notifier', {
      prefix: 'our-notifier',
      catalogues: { uk },
      alarms: { email: 'a@example.org' },
    });
    notifier.topics.classifications.addSubscription(new EmailSubscription('b@example.org'));
    Template.fromStack(stack).hasResourceProperties('AWS::SNS::Topic', {
      TopicName: 'our-notifier-classifications',
    });
    expect(Object.keys(notifier.readers)).toEqual(['uk']);
  });

  test('checks its properties like a settings file', () => {
    const stack = new Stack(app(), 'Laboratory');
    expect(
      () => new GenePanelNotifier(stack, 'Notifier', { prefix: 'our-notifier', catalogues: {} }),
    ).toThrow(
      'Laboratory/Notifier cannot be used as settings:\n  catalogues: saw {}, expected at least one catalogue',
    );
  });

  test('has the outputs that the guides name; those of a second one begin with its prefix', () => {
    const stack = new Stack(app(), 'Laboratory');
    const of = (prefix: string) =>
      ({
        prefix,
        catalogues: { uk: { ...uk, access: { kind: 'header' } } },
        subscriptions: { green: { channels: [{ kind: 'slack', webhook: 'lab' }, { kind: 'amazon-q' }] } },
      }) as const;
    new GenePanelNotifier(stack, 'Notifier', of('our-notifier'));
    new GenePanelNotifier(stack, 'Trial', of('our-trial'));
    const names = Object.keys(Template.fromStack(stack).toJSON().Outputs);
    for (const name of ['TableName', 'HistoryTable', 'SecretUk', 'SecretChannels', 'TopicChat'])
      expect(names).toEqual(expect.arrayContaining([name, `OurTrial${name}`]));
  });
});

test('stacks are made of what defineSettings returns, of frozen settings too', () => {
  const written = Object.freeze({
    name: 'panels',
    stages: {
      test: { catalogues: { uk }, subscriptions: { green: { filter: { to: ['green'] }, channels: [] } } },
    },
  } as const);
  const [stack] = notifierStacks(app(), defineSettings(written));
  expect(stack?.stackName).toBe('panels-test');
});
