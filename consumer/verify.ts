/** Verification for receivers that anybody can reach by HTTPS: `gene-panel-events/verify`. */
export { type SnsDelivery, type SnsOptions, verifySns } from './verify-sns.ts';
export { verifyWebhook, type WebhookOptions, type WebhookRequest } from './verify-webhook.ts';
