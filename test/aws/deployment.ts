import {
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import type { Clients } from './clients.ts';
import { leftOut, makers } from './missing.ts';
import { type Deployed, parseTemplate, type Resource, resolved } from './template.ts';

export interface Deployment extends Deployed {
  /** What was made by the SDK because the emulator's CloudFormation left it out, by type. */
  readonly supplied: ReadonlyMap<string, number>;
  /** Their logical ids. */
  readonly suppliedIds: ReadonlySet<string>;
  /** The outputs, as the template states them. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The one resource of a type whose properties and physical id the predicate accepts. */
  find(type: string, accepts?: (properties: Resource['Properties'], physicalId: string) => boolean): Found;
}

interface Found {
  readonly id: string;
  readonly physicalId: string;
  /** With all references filled in. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface DeploymentOptions {
  readonly stack: string;
  readonly region: string;
  /** What an earlier call supplied and is still there, by logical id. */
  readonly kept?: ReadonlyMap<string, string>;
}

/** Looks at a stack that the CDK has deployed, and makes what the emulator's CloudFormation left out. */
export async function completeDeployment(
  clients: Clients,
  { stack, region, kept = new Map() }: DeploymentOptions,
): Promise<Deployment> {
  const { cloudFormation } = clients;
  const { TemplateBody = '' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack }));
  const template = parseTemplate(TemplateBody);
  const { StackResources = [] } = await cloudFormation.send(
    new DescribeStackResourcesCommand({ StackName: stack }),
  );
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
  const account = Stacks[0]?.StackId?.split(':')[4] ?? '';

  const made = StackResources.flatMap(({ LogicalResourceId, PhysicalResourceId }): [string, string][] =>
    LogicalResourceId && PhysicalResourceId ? [[LogicalResourceId, PhysicalResourceId]] : [],
  );
  const physicalIds = new Map([...made, ...kept]);
  const deployed: Deployed = { account, region, template, physicalIds };
  const supplied = new Map<string, number>();
  const missing = Object.entries(template.Resources).filter(
    ([id, { Type }]) => !physicalIds.has(id) && !leftOut.has(Type),
  );
  for (const [id, { Type, Properties }] of inOrder(missing)) {
    const make = makers[Type];
    if (make === undefined)
      throw new Error(`CloudFormation made no ${Type}, and nothing else can make one here`);
    // Stacks of one code have equal logical ids.
    physicalIds.set(id, await make(clients, filled(Properties, deployed), `${stack}-${id}`));
    supplied.set(Type, (supplied.get(Type) ?? 0) + 1);
  }
  const ids = new Set([...missing.map(([id]) => id), ...kept.keys()]);
  await addMissingSettings(clients, deployed, ids);

  return {
    ...deployed,
    supplied,
    suppliedIds: ids,
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([name, { Value }]) => [name, String(resolved(Value, deployed))]),
    ),
    find: (type, accepts = () => true) => {
      const found = Object.entries(template.Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([id, { Properties }]) => ({
          id,
          physicalId: physicalIds.get(id) ?? '',
          properties: filled(Properties, deployed),
        }))
        .filter(({ properties, physicalId }) => accepts(properties, physicalId));
      const [only, ...others] = found;
      if (only === undefined || others.length > 0)
        throw new Error(`Found ${found.length} of ${type}, wanted one`);
      return only;
    },
  };
}

const filled = (properties: Resource['Properties'], deployed: Deployed): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, resolved(value, deployed)]));

/** What others refer to comes first. */
const inOrder = (resources: readonly [string, Resource][]): readonly [string, Resource][] => {
  const first = [
    'AWS::SecretsManager::Secret',
    'AWS::Scheduler::ScheduleGroup',
    'AWS::ApiGatewayV2::Api',
    'AWS::ApiGatewayV2::Integration',
  ];
  return [...resources].sort(
    ([, a], [, b]) => Number(first.includes(b.Type)) - Number(first.includes(a.Type)),
  );
};

/** A function whose environment refers to what CloudFormation left out got nothing in its place. */
async function addMissingSettings(
  { lambda }: Clients,
  deployed: Deployed,
  missing: ReadonlySet<string>,
): Promise<void> {
  for (const [id, { Type, Properties }] of Object.entries(deployed.template.Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const refers = [...missing].some((other) => JSON.stringify(Properties).includes(`"${other}"`));
    if (!refers) continue;
    const { Environment, Layers } = filled(Properties, deployed);
    const FunctionName = deployed.physicalIds.get(id);
    await lambda.send(
      new UpdateFunctionConfigurationCommand({
        FunctionName,
        Environment: Environment as { Variables: Record<string, string> },
        ...(Array.isArray(Layers) && { Layers: Layers.map(String) }),
      }),
    );
  }
}
