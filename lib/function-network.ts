import { ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnSecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { certificatesLayer } from './file-layer.ts';
import type { Deployment } from './settings.ts';

/** The network that the functions run in. */
export interface FunctionNetwork {
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  /** Requests to the catalogue and the identity provider go through it; requests to AWS do not. */
  readonly proxy: string | undefined;
  /** The authorities that the functions trust besides those of Node, such as that of a proxy which inspects TLS. */
  readonly certificates: ILayerVersion | undefined;
}

/** The network of the settings. Where they name no security group, one is made that only lets HTTPS and mail out. */
export function functionNetwork(
  scope: Construct,
  id: string,
  { prefix, network, messages: { relay } }: Pick<Deployment, 'prefix' | 'network' | 'messages'>,
): FunctionNetwork | undefined {
  if (network === undefined) return undefined;
  const { vpc, subnets, securityGroups, proxy } = network;
  const certificates =
    network.certificates === undefined ? undefined : certificatesLayer(scope, network.certificates);
  const reached = { subnetIds: subnets, proxy, certificates };
  if (securityGroups !== undefined) return { ...reached, securityGroupIds: securityGroups };
  const ports = new Map([[443, 'HTTPS to AWS, the catalogue and the identity provider']]);
  if (relay !== undefined) ports.set(relay.port, 'The mail server');
  if (proxy !== undefined) ports.set(portOf(new URL(proxy)), 'The proxy');
  const group = new CfnSecurityGroup(scope, id, {
    groupDescription: `Functions of ${prefix}: HTTPS out and nothing in`,
    vpcId: vpc,
    securityGroupEgress: [...ports].map(([port, description]) => ({
      description,
      ipProtocol: 'tcp',
      fromPort: port,
      toPort: port,
      cidrIp: '0.0.0.0/0',
    })),
  });
  return { ...reached, securityGroupIds: [group.attrGroupId] };
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const interfaceActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/** The ARN of a function of the stack's account. */
export const functionArn = (scope: Construct, resourceName: string): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/**
 * What Lambda needs to connect a function to the network. The rights are the service's: the second statement denies
 * them to the function's own code.
 */
export function networkGrants(scope: Construct, functionName: string): readonly PolicyStatement[] {
  return [
    // EC2 has no resource that names a network interface before it is made.
    new PolicyStatement({ sid: 'ConnectToNetwork', actions: interfaceActions, resources: ['*'] }),
    new PolicyStatement({
      sid: 'DenyNetworkToCode',
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ['*'],
      conditions: { ArnEquals: { 'lambda:SourceFunctionArn': functionArn(scope, functionName) } },
    }),
  ];
}
