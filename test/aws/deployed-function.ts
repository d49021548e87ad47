import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GetFunctionCommand,
  GetFunctionEventInvokeConfigCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { AwsEnvironment } from './cdk.ts';
import type { Clients } from './clients.ts';
import type { Deployment } from './deployment.ts';
import { unsigned } from './unsigned.ts';

/** A function as AWS has it: what Lambda would run, and how. */
export interface DeployedFunction {
  readonly name: string;
  /** Where its code lies, as Lambda would unpack it. */
  readonly task: string;
  /** Where its layers lie, unpacked over each other. */
  readonly layers: string;
  /** `file.export` */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** How often a failed asynchronous run is repeated, and where it is left then. */
  readonly onFailure: { readonly retries: number; readonly queueArn: string };
}

/** Where a deployment is looked at from. */
export interface Surroundings {
  readonly clients: Clients;
  readonly aws: AwsEnvironment;
  /** Takes what is fetched. */
  readonly folder: string;
}

const codeSchema = z.object({ S3Bucket: z.string(), S3Key: z.string() });
const layersSchema = z.array(z.string()).default([]);

/** Where the CDK's bucket holds code. */
function addressOf(code: unknown, aws: AwsEnvironment): string {
  const { S3Bucket, S3Key } = codeSchema.parse(code);
  return `${aws.AWS_ENDPOINT_URL}/${S3Bucket}/${S3Key}`;
}

/** Fetches a function's configuration and its code, and makes sure that the code is the one deployed. */
export async function deployedFunction(
  { clients: { lambda }, aws, folder }: Surroundings,
  { deployment, functionName }: { readonly deployment: Deployment; readonly functionName: string },
): Promise<DeployedFunction> {
  const { Configuration = {}, Code = {} } = await lambda.send(
    new GetFunctionCommand({ FunctionName: functionName }),
  );
  const { properties } = deployment.find(
    'AWS::Lambda::Function',
    ({ FunctionName }) => FunctionName === functionName,
  );
  const zip = await download([Code.Location, addressOf(properties.Code, aws)]);
  const digest = createHash('sha256').update(zip).digest('base64');
  if (digest !== Configuration.CodeSha256) {
    throw new Error(
      `The code fetched for ${functionName} is ${digest}, deployed is ${Configuration.CodeSha256}`,
    );
  }
  const layers = mkdtempSync(join(folder, 'layers-'));
  for (const arn of layersSchema.parse(properties.Layers)) {
    const layer = deployment.find('AWS::Lambda::LayerVersion', (_, physicalId) => physicalId === arn);
    unpack(await download([addressOf(layer.properties.Content, aws)]), layers);
  }
  const task = mkdtempSync(join(folder, 'function-'));
  unpack(zip, task);
  return {
    name: functionName,
    task,
    layers,
    handler: Configuration.Handler ?? '',
    environment: Configuration.Environment?.Variables ?? {},
    timeoutSeconds: Configuration.Timeout ?? 0,
    onFailure: await onFailureOf(lambda, functionName),
  };
}

/** Lambda's own settings where the deployment states none: a failed run is repeated twice and left nowhere. */
async function onFailureOf(
  lambda: Clients['lambda'],
  FunctionName: string,
): Promise<DeployedFunction['onFailure']> {
  try {
    const { MaximumRetryAttempts = 2, DestinationConfig } = await lambda.send(
      new GetFunctionEventInvokeConfigCommand({ FunctionName, Qualifier: '$LATEST' }),
    );
    return { retries: MaximumRetryAttempts, queueArn: DestinationConfig?.OnFailure?.Destination ?? '' };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return { retries: 2, queueArn: '' };
    throw error;
  }
}

/** The first address that gives the code: moto's own link leads to AWS, its bucket holds it. */
async function download(addresses: readonly (string | undefined)[]): Promise<Buffer> {
  for (const address of addresses) {
    if (address === undefined || new URL(address).hostname.endsWith('.amazonaws.com')) continue;
    const reply = await fetch(address, { headers: { authorization: unsigned } });
    if (reply.ok) return Buffer.from(await reply.arrayBuffer());
  }
  throw new Error(`None of ${addresses.join(', ')} gives the function's code`);
}

function unpack(zip: Buffer, folder: string): void {
  writeFileSync(join(folder, 'code.zip'), zip);
  const { status, stderr } = spawnSync('python3', ['-m', 'zipfile', '-e', 'code.zip', '.'], { cwd: folder });
  if (status !== 0) throw new Error(`Unpacking the function's code: ${stderr}`);
}
