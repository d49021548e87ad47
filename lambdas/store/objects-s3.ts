import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { unavailable } from './dynamodb-table.ts';
import { StateError } from './state-error.ts';

interface PutOptions {
  readonly contentType?: string;
  readonly cacheControl?: string;
}

/** So many names S3 takes in one deletion. */
const MOST_REMOVED = 1000;

interface Bucket {
  readonly s3: S3Client;
  readonly bucket: string;
}

/**
 * The objects of a bucket of S3, by name.
 * @throws {StateError} `STATE_UNAVAILABLE` from every method, when the bucket cannot be read or written
 */
export function createS3Objects({ s3, bucket }: Bucket) {
  const attempt = async <Reply>(
    action: 'Reading' | 'Writing',
    send: () => Promise<Reply>,
  ): Promise<Reply> => {
    try {
      return await send();
    } catch (cause) {
      const call = { action: `${action} objects of the bucket "${bucket}"`, unchanged: 'Nothing is lost' };
      throw new StateError('STATE_UNAVAILABLE', ...unavailable(cause, { ...call, place: 'bucket' }));
    }
  };
  return {
    /** Null where there is none of the name. */
    read: (name: string) =>
      attempt('Reading', async (): Promise<Buffer | null> => {
        try {
          const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: name }));
          return Buffer.from((await body?.transformToByteArray()) ?? []);
        } catch (error) {
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      }),
    /** Names that begin with a text, in the order of their characters. */
    names: (prefix: string) =>
      attempt('Reading', async (): Promise<readonly string[]> => {
        const names: string[] = [];
        const pages = paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: prefix });
        for await (const { Contents: objects = [] } of pages)
          names.push(...objects.flatMap(({ Key: name }) => name ?? []));
        return names;
      }),
    put: (name: string, body: Uint8Array, { contentType, cacheControl }: PutOptions = {}) =>
      attempt('Writing', async () => {
        await s3.send(
          new PutObjectCommand({
            ...{ Bucket: bucket, Key: name, Body: body },
            ...(contentType !== undefined && { ContentType: contentType }),
            ...(cacheControl !== undefined && { CacheControl: cacheControl }),
          }),
        );
      }),
    remove: (names: readonly string[]) =>
      attempt('Writing', async () => {
        for (let start = 0; start < names.length; start += MOST_REMOVED) {
          const objects = names.slice(start, start + MOST_REMOVED).map((name) => ({ Key: name }));
          const { Errors: errors = [] } = await s3.send(
            new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
          );
          const [first] = errors;
          if (first) throw new Error(`removing ${first.Key}: ${first.Code}`);
        }
      }),
  };
}

/** The objects of a bucket. */
export type Objects = ReturnType<typeof createS3Objects>;
