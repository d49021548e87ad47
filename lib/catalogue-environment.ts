import type { Topic } from '../lambdas/events/topics.ts';
import type { CatalogueEnvironment } from '../lambdas/functions/catalogue-settings.ts';
import type { Catalogue } from './settings.ts';

interface CatalogueEnvironmentProps {
  readonly name: string;
  readonly catalogue: Catalogue;
  /** Of every access but `none`. */
  readonly secretArn: string | undefined;
  readonly tableName: string;
  readonly historyTableName: string;
  /** Days for which events are kept in the history; for ever if undefined. */
  readonly historyDays: number | undefined;
  readonly topicArns: Readonly<Record<Topic, string>>;
  readonly namespace: string;
  /** Serialises values that are known only at deployment. */
  readonly json: (value: object) => string;
}

/** The environment variables that all functions of a catalogue share. */
export function catalogueEnvironment(props: CatalogueEnvironmentProps): CatalogueEnvironment {
  const {
    name,
    catalogue,
    secretArn = '',
    tableName,
    historyTableName,
    historyDays,
    topicArns,
    namespace,
    json,
  } = props;
  const { access, base, states } = catalogue;
  const shared = {
    CATALOGUE_NAME: name,
    CATALOGUE_URL: base,
    TABLE_NAME: tableName,
    HISTORY_TABLE_NAME: historyTableName,
    HISTORY_DAYS: historyDays === undefined ? undefined : String(historyDays),
    TOPIC_ARNS: json(topicArns),
    PANEL_STATES: JSON.stringify(states),
    METRICS_NAMESPACE: namespace,
  };
  if (access.kind === 'none') return { ...shared, ACCESS: access.kind };
  const credential = { SECRET_ID: secretArn, CREDENTIAL_EXPIRES: access.credentialExpires };
  if (access.kind === 'header') return { ...shared, ...credential, ACCESS: access.kind };
  return {
    ...shared,
    ...credential,
    ACCESS: access.kind,
    AUTH_URL: access.authUrl,
    TENANT_ID: access.tenantId,
    AUTH_RESOURCE: access.resource,
    AUTH_SCOPE: access.scope,
    AUTH_BASIC: access.basic,
  };
}
