import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';

/**
 * What AWS publishes about the resource types and services that the templates use, as cfn-lint ships it. The file
 * beside this one holds it, so that the tests of the templates need no Python; `npm run test:templates` compares it
 * with the installed package, and `npm run test:templates -- --write` writes it.
 */
export const factsFile = join(import.meta.dirname, 'aws-facts.json');

const handlersSchema = z.record(z.string(), z.array(z.string()));
const factsSchema = z.object({
  source: z.string(),
  /** By the service's prefix in IAM: its actions in lower case, one space between them. */
  actions: z.record(z.string(), z.string()),
  types: z.record(
    z.string(),
    z.object({
      /** Properties whose change replaces the resource, as JSON pointers. */
      createOnly: z.array(z.string()),
      /** The actions that CloudFormation calls, by what it does: create, read, update, delete, list. */
      handlers: handlersSchema,
    }),
  ),
});
export type AwsFacts = z.output<typeof factsSchema>;

/** The facts that the tests use. */
export const awsFacts = (): AwsFacts => factsSchema.parse(JSON.parse(readFileSync(factsFile, 'utf8')));

const resourceSchema = z.object({
  typeName: z.string(),
  createOnlyProperties: z.array(z.string()).default([]),
  handlers: z.record(z.string(), z.object({ permissions: z.array(z.string()).default([]) })).default({}),
});
const policiesSchema = z.record(z.string(), z.object({ Actions: z.record(z.string(), z.unknown()) }));

interface Wanted {
  readonly types: readonly string[];
  readonly services: readonly string[];
}

/** The same from the package in a folder of installed Python packages. */
export function publishedFacts(environment: string, { types, services }: Wanted): AwsFacts {
  const [folder = ''] = globSync(join(environment, 'lib', 'python*', 'site-packages'));
  const [installed = ''] = globSync(join(folder, 'cfn_lint-*.dist-info'));
  const data = join(folder, 'cfnlint', 'data');
  const schemas = globSync(join(data, 'schemas', 'resources', '*.json'))
    .map((file) => resourceSchema.parse(JSON.parse(readFileSync(file, 'utf8'))))
    .filter(({ typeName }) => types.includes(typeName))
    .sort((a, b) => a.typeName.localeCompare(b.typeName));
  const policies = policiesSchema.parse(
    JSON.parse(readFileSync(join(data, 'AdditionalSpecs', 'Policies.json'), 'utf8')),
  );
  return {
    source: basename(installed, '.dist-info').replace('cfn_lint-', 'cfn-lint '),
    actions: Object.fromEntries(
      [...services].sort().map((service) => {
        const actions = Object.keys(policies[service]?.Actions ?? {});
        return [service, actions.toSorted().join(' ')];
      }),
    ),
    types: Object.fromEntries(
      schemas.map(({ typeName, createOnlyProperties, handlers }) => [
        typeName,
        {
          createOnly: createOnlyProperties,
          handlers: Object.fromEntries(
            Object.entries(handlers).map(([name, { permissions }]) => [name, permissions.toSorted()]),
          ),
        },
      ]),
    ),
  };
}
