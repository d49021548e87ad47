import { PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { NewerEvent, PanelEvent } from 'gene-panel-notifier/consumer';
import { objectKey } from './object-key.ts';

/**
 * Writes an event to the bucket, byte for byte as it was published. Where its object is there already, the event was
 * kept before: an event that arrives again has the same id and the same body.
 *
 * @throws {S3ServiceException} for any other refusal
 */
export function keepEvent(s3: S3Client, bucket: string): (event: PanelEvent | NewerEvent) => Promise<void> {
  return async (event) => {
    try {
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: objectKey(event),
          Body: JSON.stringify(event),
          ContentType: 'application/cloudevents+json; charset=utf-8',
          ChecksumAlgorithm: 'SHA256',
          IfNoneMatch: '*',
        }),
      );
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === PRECONDITION_FAILED)
        return;
      throw error;
    }
  };
}

const PRECONDITION_FAILED = 412;
