import { SNSClient, type SNSClientConfig } from '@aws-sdk/client-sns';

/** How long one call may take until its answer begins, in milliseconds. */
export const callTimeout = 5_000;

/**
 * The SDK's client as the publisher wants it: it tries each call once, because the publisher resends by itself
 * (only what failed, and with waits that follow the run's clock), and it gives up on a call without an answer.
 */
export function createSnsClient(
  config: Pick<SNSClientConfig, 'endpoint' | 'region' | 'credentials'> & { readonly timeout?: number } = {},
): SNSClient {
  const { timeout = callTimeout, ...rest } = config;
  return new SNSClient({
    ...rest,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: timeout,
      requestTimeout: timeout,
      socketTimeout: timeout,
      throwOnRequestTimeout: true,
    },
  });
}
