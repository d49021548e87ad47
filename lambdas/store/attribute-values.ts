import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item of a table. */
export type Item = Record<string, AttributeValue>;

/** A text as DynamoDB stores it. */
export const text = (value: string): AttributeValue => ({ S: value });

/** A number as DynamoDB stores it, with all its digits. */
export const number = (value: number | bigint): AttributeValue => ({ N: String(value) });
