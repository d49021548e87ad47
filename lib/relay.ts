import { Duration, Size, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { RelayEnvironment } from '../lambdas/functions/settings.ts';
import { RELAY_MINUTES } from '../lambdas/run/alarm-kinds.ts';
import { partitionOf } from '../lambdas/store/table-keys.ts';
import type { DeploymentParts } from './bundled-function.ts';
import { type RelaySettings, relayedCatalogues } from './catalogue-settings.ts';
import { ScheduledFunction } from './function-schedule.ts';
import { allow, historyArns, readItems, readSecrets, statePartitions, useKey } from './grants.ts';
import { issuedSecret, objectsOf, privateBucket } from './retained.ts';

interface RelayProps extends DeploymentParts {
  readonly relay: RelaySettings;
}

/** The longest that Lambda lets a run take: the first tree of a large catalogue has ten thousand files and more. */
const TIMEOUT = Duration.minutes(15);
/** Holds what a run has to put, before it puts the first file: at first the whole tree. */
const SPOOL = Size.gibibytes(5);

/**
 * The relay as files: a bucket, the function that writes what the catalogues answer into it, and the key that signs it. Nothing of
 * the notifier answers requests of strangers: whoever serves the bucket does.
 */
export class Relay extends Construct {
  /** What it holds is public: it has no key of the laboratory's, whose use every reader would need. */
  readonly bucket: Bucket;
  /** Holds the private key that signs the files. */
  readonly secret: Secret | ISecret;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: RelayProps) {
    super(scope, id);
    const { relay, table, history } = props;
    const catalogues = relayedCatalogues(props.settings);
    this.bucket = privateBucket(this, 'Bucket', {
      key: undefined,
      unlogged: 'It holds what anybody may read; who serves it keeps a log where one is wanted.',
    });
    if (relay.distribution !== undefined) this.serveBy(relay.distribution);
    this.secret = issuedSecret(this, 'Secret', {
      from: relay.secret,
      description:
        'The private Ed25519 key that signs the relay; docs/guides/relay.md, "On AWS", says what to put here',
      key: props.key,
      issuer: 'Readers of the relay check its public key: a new one is for its publisher to announce.',
    });
    const environment: RelayEnvironment = {
      CATALOGUES: JSON.stringify(catalogues),
      TABLE_NAME: table.tableName,
      HISTORY_TABLE_NAME: history.tableName,
      RELAY_BUCKET: this.bucket.bucketName,
      RELAY_ADDRESS: relay.address,
      RELAY_VERSIONS: relay.versions ? 'true' : 'false',
      SIGNING_KEY_ID: this.secret.secretArn,
    };
    const written = new ScheduledFunction(this, 'relay', {
      ...props,
      name: 'relay',
      description: 'Writes what the catalogues answer as files',
      entry: 'lambdas/functions/relay/handler.ts',
      environment,
      grants: this.grants(props),
      every: Duration.minutes(RELAY_MINUTES),
      // It asks no catalogue, so nobody minds the minute.
      within: undefined,
      timeout: TIMEOUT,
      // The rows of the log and the largest answers are in memory, and most of a run computes.
      memoryMegabytes: 2048,
      ephemeralStorage: SPOOL,
      reserved: false,
    });
    this.function = written.function;
    Validations.of(written).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${objectsOf(this.bucket)}]`,
      reason: 'The names of the files are the addresses of panels and genes, which the catalogue makes.',
    });
  }

  private serveBy(distribution: string): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'ServeByDistribution',
        principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
        actions: ['s3:GetObject'],
        resources: [this.bucket.arnForObjects('*')],
        conditions: { StringEquals: { 'aws:SourceArn': distribution } },
      }),
    );
  }

  /** It reads what is kept of the catalogues, and writes a lease and files: no event, mark or state. */
  private grants({ settings, relay, table, history, key }: RelayProps): readonly PolicyStatement[] {
    const catalogues = relayedCatalogues(settings);
    const [first = ''] = catalogues;
    return [
      allow({
        sid: 'RelayState',
        actions: readItems,
        resources: [table.tableArn],
        partitions: statePartitions(catalogues),
      }),
      allow({
        sid: 'KeepRelayLease',
        actions: ['dynamodb:PutItem'],
        resources: [table.tableArn],
        partitions: [`${partitionOf(first)}#lease`],
      }),
      allow({
        sid: 'RelayHistory',
        actions: readItems,
        resources: historyArns(history),
      }),
      ...readSecrets(this, {
        what: 'SigningKey',
        secrets: [this.secret.secretArn],
        keyArn: relay.secretKey,
      }),
      allow({
        sid: 'WriteRelay',
        actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
        resources: [this.bucket.arnForObjects('*')],
      }),
      // Without this right, S3 refuses what is not there, rather than saying so.
      allow({ sid: 'ListRelay', actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }),
      ...(key ? [useKey(this, key)] : []),
    ];
  }
}
