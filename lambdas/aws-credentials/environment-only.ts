/**
 * Stands in for the SDK's chain of credential providers inside a function's bundle. Lambda hands credentials
 * over in the environment and nowhere else, so the chain's ways through files, SSO, STS and instance metadata
 * would only be loaded at each cold start, never used.
 *
 * @throws Error when the environment holds no credentials: this bundle runs in Lambda only
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error(
      'Found no AWS credentials in the environment; wanted AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as Lambda sets them',
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  };
};
