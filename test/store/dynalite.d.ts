declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** A server that speaks DynamoDB's protocol; without a path it keeps its tables in memory. */
  export default function dynalite(options?: {
    readonly path?: string;
    readonly createTableMs?: number;
  }): Server;
}
