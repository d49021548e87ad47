import type { Topic } from '../lambdas/events/topics.ts';
import type { PollEnvironment } from '../lambdas/poll/settings.ts';
import type { Catalogue } from './settings.ts';

export interface PollEnvironmentProps {
  readonly name: string;
  readonly catalogue: Catalogue;
  /** Of every access but `none`. */
  readonly secretArn: string | undefined;
  readonly tableName: string;
  readonly topicArns: Readonly<Record<Topic, string>>;
  readonly namespace: string;
  /** Serialises values that are known only when deploying. */
  readonly json: (value: object) => string;
}

/** The settings of a catalogue's functions, under the names by which they read them. */
export function pollEnvironment(props: PollEnvironmentProps): Record<string, string> {
  const { name, catalogue, tableName, topicArns, namespace, json } = props;
  const { base, overlapMinutes, from } = catalogue;
  const environment: PollEnvironment = {
    CATALOGUE_NAME: name,
    CATALOGUE_URL: base,
    TABLE_NAME: tableName,
    TOPIC_ARNS: json(topicArns),
    METRICS_NAMESPACE: namespace,
    OVERLAP_MINUTES: overlapMinutes,
    START_FROM: from,
    ...accessEnvironment(props),
  };
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  );
}

function accessEnvironment({ catalogue: { access }, secretArn = '' }: PollEnvironmentProps) {
  switch (access.kind) {
    case 'none':
      return { ACCESS: access.kind };
    case 'header':
      return { ACCESS: access.kind, SECRET_ID: secretArn, CREDENTIAL_EXPIRES: access.credentialExpires };
    case 'client-credentials':
      return {
        ACCESS: access.kind,
        SECRET_ID: secretArn,
        CREDENTIAL_EXPIRES: access.credentialExpires,
        AUTH_URL: access.authUrl,
        TENANT_ID: access.tenantId,
        AUTH_RESOURCE: access.resource,
        AUTH_SCOPE: access.scope,
        AUTH_BASIC: access.basic,
      };
  }
}
