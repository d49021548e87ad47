import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { partitionOf } from '../lambdas/store/partition.ts';
import { historyArns } from './history-arns.ts';
import { keyGrant, useKey } from './key-grant.ts';

interface PageGrantsProps {
  readonly catalogues: readonly string[];
  readonly table: Pick<ITable, 'tableArn'>;
  readonly history: Pick<ITable, 'tableArn'>;
  /** Undefined where the settings have no worklist. */
  readonly worklist: Pick<ITable, 'tableArn'> | undefined;
  readonly people: Pick<ITable, 'tableArn'>;
  readonly secrets: readonly Pick<ISecret, 'secretArn'>[];
  /** The key of a client secret of the laboratory's own. */
  readonly clientSecretKey: string | undefined;
  readonly key: IKey | undefined;
}

const leading = (keys: readonly string[]) => ({
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
});

/** The partitions of which items change. Lines of the audit log are only added. */
const PEOPLE = ['sessions', 'used', 'visits', 'people', 'panels#*'];

/**
 * What the page may do: read everything of the stage, and write decisions, readings, sessions, chosen panels and lines of the
 * audit log, which it can neither read nor delete. docs/permissions.md explains each statement.
 */
export function pageGrants(scope: Construct, props: PageGrantsProps): readonly PolicyStatement[] {
  const { catalogues, table, history, worklist, people, secrets, clientSecretKey, key } = props;
  const statements = [
    new PolicyStatement({
      sid: 'ShowState',
      actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'],
      resources: [table.tableArn],
      ...leading(catalogues.flatMap((name) => [partitionOf(name), `${partitionOf(name)}#*`])),
    }),
    new PolicyStatement({
      sid: 'ShowHistory',
      actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'],
      resources: historyArns(history),
    }),
    new PolicyStatement({
      sid: 'KeepPeople',
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Query'],
      resources: [people.tableArn],
      ...leading(PEOPLE),
    }),
    new PolicyStatement({
      sid: 'AddToPeople',
      actions: ['dynamodb:PutItem'],
      resources: [people.tableArn],
      ...leading([...PEOPLE, 'audit#*']),
    }),
    new PolicyStatement({
      sid: 'ReadPageSecrets',
      actions: ['secretsmanager:GetSecretValue'],
      resources: secrets.map(({ secretArn }) => secretArn),
    }),
  ];
  if (worklist) {
    statements.push(
      new PolicyStatement({
        sid: 'DecideEntries',
        actions: ['dynamodb:PutItem', 'dynamodb:Query'],
        resources: [worklist.tableArn],
      }),
    );
  }
  if (key) statements.push(useKey(scope, key));
  if (clientSecretKey !== undefined) {
    statements.push(
      keyGrant(scope, {
        sid: 'DecryptClientSecret',
        keyArn: clientSecretKey,
        actions: ['kms:Decrypt'],
        through: ['secretsmanager'],
      }),
    );
  }
  return statements;
}
