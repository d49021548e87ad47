import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import type { FunctionNetwork } from './function-network.ts';
import type { Deployment } from './settings.ts';

/** A table as functions name it, and as their rights do. */
export type KeptTable = Pick<ITable, 'tableArn' | 'tableName'>;

/** What each part of a deployment is made with. */
export interface DeploymentParts {
  readonly settings: Deployment;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
  readonly table: KeptTable;
  readonly history: KeptTable;
  readonly worklist: KeptTable | undefined;
  /** Encrypts tables, queues, secrets, logs and environments; undefined for keys that AWS owns. */
  readonly key: IKey | undefined;
  /** Undefined where functions reach the internet directly. */
  readonly network: FunctionNetwork | undefined;
}
