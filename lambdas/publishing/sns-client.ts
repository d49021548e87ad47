import { SNSClient, type SNSClientConfig } from '@aws-sdk/client-sns';

/** The most milliseconds until the response to a call begins. */
export const callTimeout = 5_000;

/**
 * The SDK's client for the publisher. It sends each call once, because the publisher repeats calls itself: only
 * the messages that failed, and with waits of the run's clock. A call without a response fails.
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
