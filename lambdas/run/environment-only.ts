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
