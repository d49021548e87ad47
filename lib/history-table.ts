import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { historyIndexes } from '../lambdas/history/table-keys.ts';

/**
 * The table of every published event, with an index for each way in which it is searched most. It stays when the
 * stack is destroyed. `existing` names such a table, to continue with it. Without `key` it is encrypted
 * with the key that AWS manages.
 */
export function historyTable(
  scope: Construct,
  id: string,
  { existing, key }: { readonly existing: string | undefined; readonly key: IKey | undefined },
): Table | ITable {
  if (existing !== undefined) return Table.fromTableName(scope, id, existing);
  const text = (name: string) => ({ name, type: AttributeType.STRING });
  const table = new Table(scope, id, {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    timeToLiveAttribute: 'expires',
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(key
      ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
      : { encryption: TableEncryption.AWS_MANAGED }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  for (const [attribute, indexName] of Object.entries(historyIndexes)) {
    table.addGlobalSecondaryIndex({ indexName, partitionKey: text(attribute), sortKey: text('sk') });
  }
  return table;
}

/** The table and its indexes, as a role names them. */
export function historyArns({ tableArn }: Pick<ITable, 'tableArn'>): string[] {
  return [tableArn, ...Object.values(historyIndexes).map((index) => `${tableArn}/index/${index}`)];
}
