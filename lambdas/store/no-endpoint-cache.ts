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
