import { X509Certificate } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

interface FileLayer {
  readonly description: string;
  /** Texts by path; a function finds them under `/opt/`. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of this machine by the path that they have there. */
  readonly folders?: Readonly<Record<string, string>>;
}

/** A layer of files that a function reads. */
export function fileLayer(
  scope: Construct,
  id: string,
  { description, files, folders = {} }: FileLayer,
): LayerVersion {
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-layer-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [path, from] of Object.entries(folders)) cpSync(from, join(folder, path), { recursive: true });
  const layer = new LayerVersion(scope, id, { code: Code.fromAsset(folder), description });
  // The CDK has copied it.
  rmSync(folder, { recursive: true });
  return layer;
}

/** Where a function finds the certificates, for NODE_EXTRA_CA_CERTS: the layer is there before Node starts. */
export const CERTIFICATES_FILE = '/opt/certificates.pem';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file as a file of every function, and nothing else that the file may hold, such as a key.
 * @throws {Error} when the file cannot be read, or holds no certificate or a damaged one: Node itself would only warn
 */
export function certificatesLayer(scope: Construct, file: string): LayerVersion {
  const found = readPem(file).match(certificate) ?? [];
  if (found.length === 0) throw refused(file, 'no certificate');
  for (const [place, pem] of found.entries()) {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      throw refused(file, `a damaged certificate, number ${place + 1}`, cause);
    }
  }
  return fileLayer(scope, 'Certificates', {
    description: 'The authorities that the functions trust besides those of Node',
    files: { 'certificates.pem': `${found.join('\n')}\n` },
  });
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(file, 'no file that can be read', cause);
  }
}

const refused = (file: string, seen: string, cause?: unknown): Error =>
  new Error(
    `network.certificates: saw ${seen} at "${file}", expected a PEM file with the certificate of the proxy's authority. Ask the people who run the proxy for it.`,
    { cause },
  );
