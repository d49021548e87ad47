import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { deploy, everything, fullest, uk } from './deploy.ts';

const { page } = everything;
if (!page) throw new Error('These settings have no page');
const { signIn } = page;
const template = deploy({ catalogues: { uk }, worklist: {}, page });

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const statementsSchema = z.array(
  z.object({ Sid: z.string(), Action: oneOrMore, Condition: z.unknown().optional() }),
);

/** The statements of the page's role, by their names. */
function rights(of = template) {
  const roles = Object.values(of.findResources('AWS::IAM::Role')).filter(
    ({ Properties }) => Properties.Description === 'Execution role of panels-test-page',
  );
  const statements = roles.flatMap(({ Properties }) =>
    statementsSchema.parse(Properties.Policies[0].PolicyDocument.Statement),
  );
  return new Map(statements.map((statement) => [statement.Sid, statement]));
}

describe('the page of a stage', () => {
  test('is not made without the setting', () => {
    const without = deploy({ catalogues: { uk }, worklist: {} });
    expect(JSON.stringify(without.toJSON())).not.toMatch(/ApiGateway|People|-page/);
  });

  test.each([
    [{}, 'page.signIn: saw nothing, expected how people sign in'],
    [{ signIn: {} }, 'page.signIn.provider'],
    [{ signIn: { ...signIn, proxies: ['10.0.0.1'] } }, 'proxies: unknown key'],
    [{ signIn: { ...signIn, proxyHeaders: { person: 'x-user' } } }, 'proxyHeaders: unknown key'],
    [
      { signIn: { ...signIn, provider: { issuer: 'http://login.example.org', clientId: 'x' } } },
      'page.signIn.provider.issuer: saw "http://login.example.org", expected an issuer that begins with https://',
    ],
    [{ signIn, address: 'https://panels.example.org/changes' }, 'page.address'],
    [{ signIn, clientSecret: 'x' }, "expected 'make' (the stack makes a secret for you to fill)"],
  ])('is not made with %j', (wrong, message) => {
    expect(() => deploy({ catalogues: { uk }, page: wrong as never })).toThrow(message);
  });

  test('may read, and write decisions, people and lines of the audit log alone', () => {
    const of = rights();
    expect([...of.keys()]).toStrictEqual([
      'ShowState',
      'ShowHistory',
      'KeepPeople',
      'AddToPeople',
      'ReadPageSecrets',
      'DecideEntries',
      'WriteLog',
    ]);
    const reads = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
    expect(of.get('ShowState')?.Action).toStrictEqual(reads);
    expect(of.get('ShowHistory')?.Action).toStrictEqual(reads);
    expect(of.get('DecideEntries')?.Action).toStrictEqual(['dynamodb:PutItem', 'dynamodb:Query']);
    expect(of.get('ShowState')?.Condition).toStrictEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['catalogue#uk', 'catalogue#uk#*'] },
    });
    // What changes or deletes items never reaches the lines of the audit log.
    expect(JSON.stringify(of.get('KeepPeople')?.Condition)).not.toContain('audit');
    expect(of.get('AddToPeople')?.Action).toStrictEqual(['dynamodb:PutItem']);
  });

  test('decides nothing where the stage has no worklist', () => {
    expect(rights(deploy({ catalogues: { uk }, page })).has('DecideEntries')).toBe(false);
  });

  test('is reached by its HTTP API alone, with a limit for all people together', () => {
    template.resourceCountIs('AWS::Lambda::Permission', 1);
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'apigateway.amazonaws.com',
      SourceArn: { 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('/\\*/\\$default$')])] },
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 100 },
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Integration', {
      PayloadFormatVersion: '2.0',
      TimeoutInMillis: 29_000,
    });
  });

  test('knows its address from the API, or from the settings', () => {
    const addressOf = (of: typeof template): unknown =>
      Object.values(of.findResources('AWS::Lambda::Function'))
        .map(({ Properties }) => Properties.Environment.Variables.PAGE_ADDRESS)
        .find((address) => address !== undefined);
    const [api] = Object.keys(template.findResources('AWS::ApiGatewayV2::Api'));
    expect(addressOf(template)).toStrictEqual({ 'Fn::GetAtt': [api, 'ApiEndpoint'] });
    const own = deploy({ catalogues: { uk }, page: { ...page, address: 'https://panels.example.org' } });
    expect(addressOf(own)).toBe('https://panels.example.org');
  });

  test('has no secret at the identity provider where the client is public', () => {
    const open = deploy({ catalogues: { uk }, page: { ...page, clientSecret: 'none' } });
    open.resourceCountIs('AWS::SecretsManager::Secret', 1);
    expect(open.findOutputs('SecretPage')).toStrictEqual({});
  });

  test('keeps its people when the stack is deleted, and continues with a table that is there', () => {
    const [[, people] = []] = Object.entries(template.findResources('AWS::DynamoDB::Table')).filter(([id]) =>
      id.includes('People'),
    );
    expect(people).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { DeletionProtectionEnabled: true },
    });
    const again = deploy({ catalogues: { uk }, page, existingPeopleTable: 'people-of-before' });
    again.hasOutput('PeopleTable', { Value: 'people-of-before' });
  });

  test('reaches the identity provider through the proxy of the network, and AWS without it', () => {
    deploy(fullest).hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'panels-test-page',
      Environment: {
        Variables: Match.objectLike({
          HTTPS_PROXY: 'http://proxy.example.org:3128',
          NODE_USE_ENV_PROXY: '1',
        }),
      },
    });
  });
});
