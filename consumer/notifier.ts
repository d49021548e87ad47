/**
 * What the code of subscribers imports as `gene-panel-notifier/consumer`: all of the package `gene-panel-events`, with
 * each event checked against the schema of its type.
 */
export * from './index.ts';
export { type OnceTable, onceInTable } from './once-in-table.ts';
export {
  createEventBridgeHandler,
  createSnsHandler,
  createSqsHandler,
  eventSchema,
  filterSchema,
  parseEvent,
  readEvents,
} from './validate.ts';
export {
  type SnsDelivery,
  type SnsOptions,
  verifySns,
  verifyWebhook,
  type WebhookOptions,
  type WebhookRequest,
} from './verify.ts';
