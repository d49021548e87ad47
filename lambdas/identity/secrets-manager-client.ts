/** What is used of the client. Who imports the package itself at run time bundles every command of it. */
export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
