import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

interface RetainedTableProps {
  /** The name of a table to continue with. */
  readonly existing: string | undefined;
  /** Encrypts the table; without it the key that AWS manages does. */
  readonly key: IKey | undefined;
  /** Names of indexes, by the attribute that is their partition key. */
  readonly indexes?: Readonly<Record<string, string>>;
}

/** A table with the keys `pk` and `sk` that is backed up and stays when the stack is destroyed. */
export function retainedTable(
  scope: Construct,
  id: string,
  { existing, key, indexes = {} }: RetainedTableProps,
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
  for (const [attribute, indexName] of Object.entries(indexes)) {
    table.addGlobalSecondaryIndex({ indexName, partitionKey: text(attribute), sortKey: text('sk') });
  }
  return table;
}
