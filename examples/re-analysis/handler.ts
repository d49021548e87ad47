import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { createSqsHandler, onceInTable } from 'gene-panel-notifier/consumer';
import { openPanelVersions } from 'gene-panel-notifier/impact';
import { openInterpretationApi } from 'gene-panel-notifier/interpretation';
import * as z from 'zod';
import { caseSchema, nameOf } from './case.ts';
import { caseRegister } from './case-register.ts';
import { greenGenes, signOffs } from './filter.ts';
import { reAnalysis } from './re-analysis.ts';
import { topicRecipient, webhookRecipient } from './recipients.ts';
import { signedOffReAnalysis } from './signed-off.ts';
import { webhookIn } from './webhook-in.ts';

const environment = z
  .object({
    COUNTS: z.enum(['working', 'signed-off']),
    CATALOGUE_URL: z.url(),
    TABLE: z.string(),
    TOPIC: z.string(),
    SECRET: z.string(),
    R_CODES: z.string().transform((text) => text.split(',')),
    INTERPRETATION_URL: z.url(),
    CASES_PATH: z.string().transform((text) => text.split('/')),
    AUTH_URL: z.url(),
    TENANT_ID: z.string(),
    ZONE: z.string(),
  })
  .parse(process.env);
const { TABLE: tableName, SECRET: SecretId } = environment;

const client = new DynamoDBClient({});
const sns = new SNSClient({});
const secrets = new SecretsManagerClient({});

const readSecret = async (): Promise<string> => {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  return SecretString;
};
const api = openInterpretationApi({
  baseUrl: environment.INTERPRETATION_URL,
  authUrl: environment.AUTH_URL,
  tenantId: environment.TENANT_ID,
  credential: readSecret,
});

const versions = openPanelVersions({ catalogueUrl: environment.CATALOGUE_URL });
const isBySignOff = environment.COUNTS === 'signed-off';

export const handler = createSqsHandler({
  filter: isBySignOff ? signOffs(environment.R_CODES) : greenGenes(environment.R_CODES),
  handle: async (event) => {
    const webhook = webhookIn(await readSecret());
    const options = {
      readCases: () => api.getAll(environment.CASES_PATH, { schema: caseSchema, identify: nameOf }),
      register: caseRegister(client, tableName),
      recipients: [
        topicRecipient(sns, environment.TOPIC),
        ...(webhook === undefined ? [] : [webhookRecipient(webhook)]),
      ],
      once: onceInTable({ tableName, client, now: Date.now, keepDays: 365 }),
    };
    const handle = isBySignOff
      ? signedOffReAnalysis({ ...options, versions })
      : reAnalysis({ ...options, zone: environment.ZONE });
    await handle(event);
  },
});
