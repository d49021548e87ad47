import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { createSqsHandler, onceInTable } from 'gene-panel-notifier/consumer';
import { openInterpretationApi } from 'gene-panel-notifier/interpretation';
import * as z from 'zod';
import { caseSchema, nameOf } from './case.ts';
import { caseRegister } from './case-register.ts';
import { greenGenes } from './filter.ts';
import { reAnalysis } from './re-analysis.ts';
import { topicRecipient, webhookRecipient } from './recipients.ts';
import { webhookIn } from './webhook-in.ts';

const environment = z
  .object({
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

export const handler = createSqsHandler({
  filter: greenGenes(environment.R_CODES),
  handle: async (event) => {
    const webhook = webhookIn(await readSecret());
    await reAnalysis({
      readCases: () => api.getAll(environment.CASES_PATH, { schema: caseSchema, identify: nameOf }),
      register: caseRegister(client, tableName),
      recipients: [
        topicRecipient(sns, environment.TOPIC),
        ...(webhook === undefined ? [] : [webhookRecipient(webhook)]),
      ],
      once: onceInTable({ tableName, client, now: Date.now, keepDays: 365 }),
      zone: environment.ZONE,
    })(event);
  },
});
