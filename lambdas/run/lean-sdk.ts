/** What a function's bundle has in place of parts of AWS's SDK (`lib/bundle.ts`). */

/**
 * Replaces the SDK's chain of credential providers in a function's bundle. Lambda gives credentials in the environment
 * only, so the other providers of the chain (files, SSO, STS, instance metadata) would be loaded at each cold start and
 * never used.
 *
 * @throws {Error} when the environment has no credentials, because this bundle runs in Lambda only
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error(
      'Reading AWS credentials: AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing in the environment. Run this bundle in Lambda, which sets both.',
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  };
};

/**
 * Replaces the SDK's cache of discovered endpoints in a function's bundle. DynamoDB discovers endpoints only where
 * `AWS_ENABLE_ENDPOINT_DISCOVERY` is set, which the deployment does not; where it is, each request uses the usual endpoint.
 */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
  get(): undefined {
    return undefined;
  }
  set(): void {}
  delete(): void {}
  has(): boolean {
    return false;
  }
  clear(): void {}
}

/**
 * Replaces the SDK's event streams in a function's bundle: no operation that is called has one. The SDK imports them when
 * they are needed, and esbuild then makes every module that they share with the clients one that is evaluated late,
 * which takes longer to load and cannot leave out what is not used.
 */
export const eventStreamSerdeProvider = () => undefined;

/** The settings of a client, without a marshaller of event streams. */
export const resolveEventStreamSerdeConfig = <Settings>(settings: Settings): Settings => settings;

/** Takes the place of the SDK's class of this name. */
export class EventStreamSerde {
  /** @throws {Error} always */
  constructor() {
    throw new Error(
      'Calling AWS: the operation has an event stream, which the bundles of the functions leave out. Take lean-sdk.ts out of lib/bundle.ts to call it.',
    );
  }
}
