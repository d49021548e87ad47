const REFUSED =
  /^(ExpiredToken|ExpiredTokenException|InvalidClientTokenId|UnrecognizedClientException|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSignatureException|RequestExpired)$/;
const DENIED = /^(AccessDenied|AccessDeniedException|AuthorizationError|NotAuthorized)/;
const NO_ANSWER = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** What an error of the AWS SDK means for the person who runs a command. */
export function awsProblem(cause: unknown) {
  const { name = 'Error', message = String(cause), code = '' } = cause as NodeJS.ErrnoException;
  if (/^Region (?:is missing|not accepted)/.test(message)) {
    return { seen: 'no AWS region is set', remedy: 'Set AWS_REGION, such as AWS_REGION=eu-west-2.' };
  }
  if (/CredentialsProviderError|TokenProviderError/.test(name)) {
    return {
      seen: `there are no AWS credentials (${message})`,
      remedy: 'Sign in, for example with aws sso login, and name the profile in AWS_PROFILE.',
    };
  }
  if (REFUSED.test(name)) {
    return {
      seen: `AWS refused the credentials (${name}: ${message})`,
      remedy: 'Sign in again, and check AWS_PROFILE and the clock of this machine.',
    };
  }
  if (DENIED.test(name)) {
    return {
      seen: `access denied: ${message}`,
      remedy: 'docs/permissions.md lists the rights that this needs.',
    };
  }
  if (name === 'ResourceNotFoundException' || name === 'QueueDoesNotExist' || name === 'NotFoundException') {
    return {
      seen: `it does not exist (${message})`,
      remedy: 'Check its name, AWS_REGION, and the account of AWS_PROFILE.',
    };
  }
  if (NO_ANSWER.test(code) || name === 'TimeoutError') {
    return {
      seen: `AWS does not answer (${message})`,
      remedy: 'Check the network, the proxy and AWS_REGION, then run the command again.',
    };
  }
  return { seen: `${name}: ${message}`, remedy: 'Check AWS_REGION, AWS_PROFILE and the rights of the role.' };
}

/** The stack of a deployed stage cannot be read. */
export class DeployedStageError extends Error {
  override readonly name = 'DeployedStageError';
  readonly code = 'STAGE_UNREADABLE';
}

/**
 * The message of an error that a table caused, for the person who runs a command. The error itself is worded for a
 * function, whose next run tries again; a person needs to know what to do. Null where AWS did not cause it.
 */
export function explainAwsError({ message, cause }: Error): string | null {
  if (!(cause instanceof Error)) return null;
  const isAws =
    '$metadata' in cause || /ProviderError$/.test(cause.name) || cause.message.startsWith('Region ');
  const end = message.indexOf(`: ${cause.name}: `);
  if (!isAws || end < 0) return null;
  const { seen, remedy } = awsProblem(cause);
  return `${message.slice(0, end)}: ${seen}. ${remedy}`;
}
