import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/**
 * The table of marks, processed rows and recorded events. It stays when the stack is destroyed: without the mark
 * a new deployment would start at the newest row and skip all changes in between, unnoticed. `existing` names
 * such a table, to continue with it. Without `key` the table is encrypted with the key that AWS manages.
 */
export function stateTable(
  scope: Construct,
  id: string,
  { existing, key }: { readonly existing: string | undefined; readonly key: IKey | undefined },
): Table | ITable {
  if (existing !== undefined) return Table.fromTableName(scope, id, existing);
  return new Table(scope, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    // What was sent is remembered for a month, so that nothing is sent twice (lambdas/notify/outbox.ts).
    timeToLiveAttribute: 'expires',
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(key
      ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
      : { encryption: TableEncryption.AWS_MANAGED }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
