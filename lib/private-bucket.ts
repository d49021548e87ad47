import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

interface PrivateBucketProps extends Pick<BucketProps, 'versioned' | 'lifecycleRules'> {
  /** Encrypts the bucket; undefined for the keys that S3 owns. */
  readonly key: IKey | undefined;
  /** Why no log of its readers is kept. */
  readonly unlogged: string;
}

/** An encrypted bucket without public access, which stays when the stack is destroyed. */
export function privateBucket(
  scope: Construct,
  id: string,
  { key, unlogged, ...props }: PrivateBucketProps,
): Bucket {
  const bucket = new Bucket(scope, id, {
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN,
    ...props,
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: unlogged });
  return bucket;
}
