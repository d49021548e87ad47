import type { Stack } from '@aws-sdk/client-cloudformation';
import { awsProblem } from './aws-problem.ts';
import { DeployedStageError } from './deployed-stage-error.ts';

interface StackOutputs {
  /** The region in which the stack was found. */
  readonly region: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The outputs of a CloudFormation stack, read with the AWS credentials of the environment. The SDK is loaded here alone.
 * @param region where the stack is; the region of the environment where absent
 * @throws {DeployedStageError} when there is no such stack, or it cannot be read
 */
export async function readStackOutputs(stack: string, region?: string): Promise<StackOutputs> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ ...(region !== undefined && { region }) });
  try {
    const used = await client.config.region();
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    return { region: used, values: outputsOf(Stacks[0]) };
  } catch (cause) {
    throw await failure(cause, stack, () => client.config.region());
  } finally {
    client.destroy();
  }
}

const outputsOf = (stack: Stack | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );

async function failure(
  cause: unknown,
  stack: string,
  regionOf: () => Promise<string>,
): Promise<DeployedStageError> {
  const { message = '' } = cause as Error;
  if (/does not exist/.test(message)) {
    return new DeployedStageError(
      `Reading the stack "${stack}" in ${await regionOf()}: this account has no such stack there. Check the stage's name, --config (the settings file that it was deployed with), AWS_REGION and AWS_PROFILE.`,
      { cause },
    );
  }
  const { seen, remedy } = awsProblem(cause);
  return new DeployedStageError(`Reading the stack "${stack}": ${seen}. ${remedy}`, { cause });
}
