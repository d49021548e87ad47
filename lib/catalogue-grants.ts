import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { COVERAGE, historyPartitions } from '../lambdas/store/history/table-keys.ts';
import { partitionOf } from '../lambdas/store/partition.ts';
import type { EventTopics } from './event-topics.ts';
import { historyArns } from './history-arns.ts';
import { encryptMessages, keyGrant, useKey } from './key-grant.ts';
import type { Catalogue } from './settings.ts';

interface CatalogueGrantsProps {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly table: Pick<ITable, 'tableArn'>;
  readonly history: Pick<ITable, 'tableArn'>;
  readonly topics: EventTopics;
  /** The key of table, topics, queues and secrets; undefined where only the topics have one. */
  readonly key: IKey | undefined;
  readonly secret: Pick<ISecret, 'secretArn'> | undefined;
}

/**
 * What the functions of a catalogue may do: read and write its items, publish events, and read its credential.
 * docs/permissions.md explains each statement.
 */
export function catalogueGrants(scope: Construct, props: CatalogueGrantsProps): readonly PolicyStatement[] {
  const { name, catalogue, table, history, topics, key, secret } = props;
  const partition = partitionOf(name);
  const statements = [
    new PolicyStatement({
      sid: 'ReadAndWriteState',
      actions: [
        'dynamodb:BatchGetItem',
        'dynamodb:BatchWriteItem',
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:UpdateItem',
      ],
      resources: [table.tableArn],
      // Only the items of this catalogue.
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partition, `${partition}#*`] },
      },
    }),
    new PolicyStatement({
      sid: 'ReadAndWriteHistory',
      actions: [
        'dynamodb:BatchGetItem',
        'dynamodb:BatchWriteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
      ],
      resources: historyArns(history),
      // Only the events of this catalogue, and the periods covered.
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${historyPartitions(name)}*`, COVERAGE] },
      },
    }),
    new PolicyStatement({
      sid: 'PublishEvents',
      actions: ['sns:Publish'],
      resources: Object.values(topics.arns),
    }),
    key === undefined ? encryptMessages(scope, topics.key) : useKey(scope, key),
  ];
  if (secret === undefined) return statements;
  const read = { actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] };
  statements.push(new PolicyStatement({ sid: 'ReadCredential', ...read }));
  if (catalogue.access.kind === 'none' || catalogue.access.secretKey === undefined) return statements;
  statements.push(
    keyGrant(scope, {
      sid: 'DecryptCredential',
      keyArn: catalogue.access.secretKey,
      actions: ['kms:Decrypt'],
      through: ['secretsmanager'],
    }),
  );
  return statements;
}
