import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { historyIndexes } from '../lambdas/store/history/table-keys.ts';

/** The table of the history and its indexes, as a role names them. */
export function historyArns({ tableArn }: Pick<ITable, 'tableArn'>): string[] {
  return [tableArn, ...Object.values(historyIndexes).map((index) => `${tableArn}/index/${index}`)];
}
