import * as z from 'zod';
import { type DeployedFunction, deployedFunction, type Surroundings } from './deployed-function.ts';
import type { Deployment } from './deployment.ts';
import { type Guard, type Right, startGuard } from './guard.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { stackName } from './stage.ts';

/** A deployed function that runs with its own code, its own environment and the rights of its own role. */
export interface RunningFunction {
  readonly deployed: DeployedFunction;
  readonly runtime: Runtime;
  readonly guard: Guard;
  readonly rights: readonly Right[];
  stop(): Promise<void>;
}

const strings = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const conditionSchema = z.looseObject({
  'ForAllValues:StringLike': z.object({ 'dynamodb:LeadingKeys': strings.optional() }).optional(),
});
const policiesSchema = z.array(
  z.object({
    PolicyDocument: z.object({
      Statement: z.array(
        z
          .object({
            Effect: z.enum(['Allow', 'Deny']),
            Action: strings,
            Resource: strings,
            Condition: conditionSchema.optional(),
          })
          // Lambda itself has what is denied to the code of a function: network interfaces.
          .transform(({ Effect, Action, Resource, Condition }): readonly Right[] =>
            Effect === 'Deny'
              ? []
              : [
                  {
                    actions: Action,
                    resources: Resource,
                    leadingKeys: Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'],
                  },
                ],
          ),
      ),
    }),
  }),
);

/** Starts the poll function of one of the catalogues, as it is deployed. */
export const startPoller = (
  surroundings: Surroundings,
  { deployment, catalogue }: { readonly deployment: Deployment; readonly catalogue: string },
): Promise<RunningFunction> => startFunction(surroundings, { deployment, name: `poll-${catalogue}` });

/** Starts a function as it is deployed. `name` without the stack's: `notify`, or `sweep-` and a catalogue. */
export async function startFunction(
  surroundings: Surroundings,
  { deployment, name }: { readonly deployment: Deployment; readonly name: string },
): Promise<RunningFunction> {
  return startNamed(surroundings, { deployment, functionName: `${stackName}-${name}` });
}

/** Starts a function of any deployment; its role is the one described as `Execution role of` and its name. */
export async function startNamed(
  surroundings: Surroundings,
  { deployment, functionName }: { readonly deployment: Deployment; readonly functionName: string },
): Promise<RunningFunction> {
  const { aws } = surroundings;
  const deployed = await deployedFunction(surroundings, { deployment, functionName });
  const role = deployment.find(
    'AWS::IAM::Role',
    ({ Description }) => Description === `Execution role of ${functionName}`,
  );
  const rights = policiesSchema
    .parse(role.properties.Policies)
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flat());
  const { region, account } = deployment;
  const guard = await startGuard({ endpoint: aws.AWS_ENDPOINT_URL, rights, region, account });
  const runtime = await startRuntime(deployed, { ...aws, AWS_ENDPOINT_URL: guard.endpoint });
  return {
    deployed,
    runtime,
    guard,
    rights,
    stop: async () => {
      await runtime.stop();
      await guard.stop();
    },
  };
}
