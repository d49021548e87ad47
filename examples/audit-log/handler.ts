import { S3Client } from '@aws-sdk/client-s3';
import { createSqsHandler } from 'gene-panel-notifier/consumer';
import { keepEvent } from './keep-event.ts';

const { BUCKET } = process.env;
if (BUCKET === undefined) throw new Error('BUCKET is missing in the environment: the name of the bucket');
const keep = keepEvent(new S3Client({ forcePathStyle: true }), BUCKET);

/** Events of a newer version are kept too: an audit log does not depend on the version of this package. */
export const handler = createSqsHandler({ handle: keep, handleNewer: keep });
