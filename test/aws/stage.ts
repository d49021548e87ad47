import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingsInput } from '../../lib/settings.ts';
import { type AwsEnvironment, cdk } from './cdk.ts';
import type { Clients } from './clients.ts';
import { completeDeployment, type Deployment } from './deployment.ts';

type StageInput = SettingsInput['stages'][string];

const example: SettingsInput = JSON.parse(readFileSync('notifier.config.sandbox.json', 'utf8'));
const [stageName = ''] = Object.keys(example.stages);

/** The stack that the checks deploy, change and destroy: the sandbox's example with their own catalogues. */
export const stackName = `${example.name}-${stageName}`;

/** Deploys and destroys that stack with the CDK's command line. */
export interface Stage {
  bootstrap(): Promise<void>;
  deploy(
    stage: Pick<
      StageInput,
      | 'catalogues'
      | 'eventBus'
      | 'existingTable'
      | 'messages'
      | 'network'
      | 'page'
      | 'relay'
      | 'subscriptions'
      | 'worklist'
    >,
  ): Promise<Deployment>;
  destroy(): Promise<void>;
}

/** `folder` takes the settings and what the CDK makes of them. */
export function createStage(clients: Clients, aws: AwsEnvironment, folder: string): Stage {
  const config = join(folder, 'settings.json');
  const assembly = join(folder, 'cdk.out');
  const supplied = new Map<string, string>();
  const common = ['--context', `config=${config}`];

  const write = (stage: object): void => {
    // Without tags: moto's CloudFormation stumbles over those of a key and leaves the stack half made.
    const { tags: _, ...rest } = example.stages[stageName] ?? {};
    writeFileSync(config, JSON.stringify({ ...example, stages: { [stageName]: { ...rest, ...stage } } }));
  };

  return {
    bootstrap: async () => {
      write({});
      await cdk(['bootstrap', ...common], aws);
    },
    deploy: async (stage) => {
      write(stage);
      await cdk(
        [
          'deploy',
          '--require-approval',
          'never',
          '--method',
          'direct',
          '--no-previous-parameters',
          '--output',
          assembly,
          ...common,
        ],
        aws,
      );
      const deployment = await completeDeployment(clients, {
        stack: stackName,
        region: aws.AWS_REGION,
        kept: supplied,
      });
      for (const [id, physicalId] of deployment.physicalIds) {
        if (deployment.suppliedIds.has(id)) supplied.set(id, physicalId);
      }
      return deployment;
    },
    destroy: async () => {
      await cdk(['destroy', '--force', '--app', assembly], aws);
      supplied.clear();
    },
  };
}
