import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Where the deployment goes, in the environment that AWS's own tools read. */
export interface AwsEnvironment extends Readonly<Record<string, string>> {
  readonly AWS_ENDPOINT_URL: string;
  readonly AWS_REGION: string;
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
}

/**
 * Runs the CDK's command line as a person does, and returns its output.
 *
 * @param folder where the app is; the checkout by default
 * @throws {Error} with the output, when it ends with another status than 0
 */
export async function cdk(
  parameters: readonly string[],
  environment: AwsEnvironment,
  folder: string = resolve('.'),
): Promise<string> {
  const child = spawn(resolve('node_modules/.bin/cdk'), parameters, {
    cwd: folder,
    env: {
      ...environment,
      AWS_DEFAULT_REGION: environment.AWS_REGION,
      PATH: `${resolve('node_modules/.bin')}:${process.env.PATH ?? ''}`,
      HOME: process.env.HOME ?? '/tmp',
      CI: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const [status] = await once(child, 'close');
  const output = said.join('');
  if (status !== 0)
    throw new Error(`cdk ${parameters.join(' ')} ended with ${status}:\n${output.slice(-4000)}`);
  return output;
}
