import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/**
 * Whether a conditional write was done; false where its condition did not hold.
 * @throws any other error of `write`
 */
export async function wasWritten(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
