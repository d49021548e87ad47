import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '../../sandbox/http.ts';
import { newFolder } from '../new-folder.ts';
import { deploy, everything, fullest, uk } from './deploy.ts';

const { network } = fullest;
const functionsOf = (template = deploy(fullest)) =>
  Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties);

test('without the setting, functions reach the internet directly', () => {
  const [poll] = functionsOf(deploy({ catalogues: { uk } }));
  expect(poll.VpcConfig).toBeUndefined();
  expect(poll.Environment.Variables).not.toHaveProperty('HTTPS_PROXY');
});

describe('functions in a network', () => {
  const template = deploy(fullest);
  const [group] = Object.keys(template.findResources('AWS::EC2::SecurityGroup'));

  test('run in its subnets, with a security group of their own', () => {
    expect(functionsOf()).toHaveLength(13);
    for (const { VpcConfig } of functionsOf())
      expect(VpcConfig).toEqual({
        SubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'],
        SecurityGroupIds: [{ 'Fn::GetAtt': [group, 'GroupId'] }],
      });
  });

  test('send requests through the proxy', () => {
    for (const { Environment } of functionsOf())
      expect(Environment.Variables.HTTPS_PROXY).toBe('http://proxy.example.org:3128');
  });

  test('may open connections for HTTPS, to the mail server and to the proxy, but accept none', () => {
    const [{ Properties } = { Properties: {} }] = Object.values(
      template.findResources('AWS::EC2::SecurityGroup'),
    );
    expect(Properties.VpcId).toBe('vpc-0a1b2c3d');
    expect(Properties.SecurityGroupIngress).toBeUndefined();
    expect(Properties.SecurityGroupEgress.map((rule: { FromPort: number }) => rule.FromPort)).toEqual([
      443, 587, 3128,
    ]);
  });

  test('leave the rights to network interfaces to Lambda itself', () => {
    const statements = Object.values(template.findResources('AWS::IAM::Role'))
      .flatMap(({ Properties }) => Properties.Policies[0].PolicyDocument.Statement)
      .filter(({ Sid }) => Sid === 'DenyNetworkToCode');
    expect(statements).toHaveLength(13);
    for (const { Effect, Condition } of statements) {
      expect(Effect).toBe('Deny');
      expect(JSON.stringify(Condition)).toContain(':function:panels-test-');
    }
  });
});

test('your own security groups replace the new one', () => {
  if (!network) throw new Error('These settings have no network');
  const template = deploy({ catalogues: { uk }, network: { ...network, securityGroups: ['sg-0a1b2c3d'] } });
  expect(template.findResources('AWS::EC2::SecurityGroup')).toEqual({});
  expect(functionsOf(template)[0].VpcConfig.SecurityGroupIds).toEqual(['sg-0a1b2c3d']);
});

describe('with the certificates of a proxy that decrypts TLS', () => {
  const { cert } = selfSigned({
    host: 'proxy.example.org',
    from: new Date('2020-01-01T00:00:00Z'),
    until: new Date('2049-12-31T00:00:00Z'),
  });
  const deployWith = (content: string) => {
    const folder = newFolder();
    const certificates = join(folder, 'hospital-ca.pem');
    writeFileSync(certificates, content);
    return deploy({ ...everything, network: { ...fullest.network, certificates } as never });
  };

  test('every function trusts them', () => {
    const template = deployWith(cert);
    const [layer] = Object.keys(template.findResources('AWS::Lambda::LayerVersion')).filter((id) =>
      id.includes('Certificates'),
    );
    const functions = functionsOf(template);
    expect(functions.length).toBeGreaterThan(5);
    for (const { Environment, Layers } of functions) {
      expect(Environment.Variables.NODE_EXTRA_CA_CERTS).toBe('/opt/certificates.pem');
      expect(Layers).toContainEqual({ Ref: layer });
    }
  });

  test.each([
    ['holds no certificate', 'hello', 'network.certificates: saw no certificate at "'],
    [
      'is damaged',
      cert.replace(/\n.{40}/, '\n'),
      'network.certificates: saw a damaged certificate, number 1 at "',
    ],
  ])('a file that %s is refused', (_case, content, message) => {
    expect(() => deployWith(content)).toThrow(message);
  });
});
