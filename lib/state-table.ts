import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

/**
 * The table of marks, rows seen and events sent. It outlives its stack: without the mark, a new deployment
 * would start at the newest row and leave a gap that nobody sees. `existing` is such a table to go on with.
 */
export function stateTable(scope: Construct, id: string, existing?: string): Table | ITable {
  if (existing !== undefined) return Table.fromTableName(scope, id, existing);
  return new Table(scope, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    timeToLiveAttribute: 'expires',
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
