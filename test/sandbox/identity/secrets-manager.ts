import { serve } from '../../../sandbox/http.ts';

/** AWS Secrets Manager as far as its `GetSecretValue` goes (JSON protocol 1.1), on this machine. */
interface SecretsManagerEndpoint {
  readonly url: string;
  /** Secrets by name or ARN: text, or bytes for a binary one. */
  readonly secrets: Map<string, string | Uint8Array>;
  /** The names that were asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export async function startSecretsManager(port?: number): Promise<SecretsManagerEndpoint> {
  const secrets = new Map<string, string | Uint8Array>();
  const asked: string[] = [];
  const answer = async (request: Request): Promise<Response> => {
    if (request.headers.get('x-amz-target') !== 'secretsmanager.GetSecretValue')
      return failure('UnknownOperation', '');
    const { SecretId: id } = (await request.json()) as { readonly SecretId: string };
    asked.push(id);
    const secret = secrets.get(id);
    if (secret === undefined) {
      return failure('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    const value =
      typeof secret === 'string'
        ? { SecretString: secret }
        : { SecretBinary: Buffer.from(secret).toString('base64') };
    const found = { ARN: id, Name: id, VersionId: 'sandbox', ...value };
    return Response.json(found, { headers: { 'content-type': 'application/x-amz-json-1.1' } });
  };
  const { url, close } = await serve(() => answer, { port });
  return { url, secrets, asked, close };
}

function failure(type: string, message: string): Response {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': type };
  return Response.json({ __type: type, Message: message }, { status: 400, headers });
}
