import { EventEmitter } from 'node:events';
import dynalite from 'dynalite';

/** A reply of DynamoDB's protocol. */
export interface WireReply {
  readonly status: number;
  readonly body: string;
}

/** DynamoDB's protocol without a network: a call of an operation with its JSON. */
export type DynamoDbWire = (operation: string, body: string) => Promise<WireReply>;

/** Dynalite with its tables in memory, called as a function: thousands of runs in little time, in the same order. */
export function openDynamoDbInProcess(): DynamoDbWire {
  const [handler] = dynalite({ createTableMs: 0 }).listeners('request');
  return (operation, body) =>
    new Promise((resolve) => {
      const request = Object.assign(new EventEmitter(), {
        method: 'POST',
        url: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `DynamoDB_20120810.${operation}`,
          'x-amz-date': '20260101T000000Z',
          authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
        },
      });
      const response = {
        statusCode: 200,
        setHeader: () => {},
        end: (reply: string) => resolve({ status: response.statusCode, body: reply }),
      };
      handler?.(request, response);
      request.emit('data', Buffer.from(body));
      request.emit('end');
    });
}

/** The protocol of a server, such as DynamoDB Local. */
export const dynamoDbAt =
  (endpoint: string): DynamoDbWire =>
  async (operation, body) => {
    const reply = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-2/dynamodb/aws4_request, SignedHeaders=host, Signature=none',
      },
      body,
    });
    return { status: reply.status, body: await reply.text() };
  };
