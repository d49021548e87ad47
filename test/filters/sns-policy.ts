import type { FilterPolicy } from '../../lambdas/filters/filter-policy.ts';
import type { Attribute } from '../../lambdas/publishing/message.ts';

/**
 * Whether SNS delivers a message with these attributes to a subscription with this policy, as its documentation
 * says (https://docs.aws.amazon.com/sns/latest/dg/sns-subscription-filter-policies.html): keys combine with AND,
 * conditions with OR, an array matches where one of its values does.
 */
export function passes(policy: FilterPolicy, attributes: Readonly<Record<string, Attribute>>): boolean {
  return Object.entries(policy).every(([name, conditions]) =>
    conditions.some((condition) => {
      const attribute = attributes[name];
      if (typeof condition === 'object' && 'exists' in condition) return attribute === undefined;
      return attribute !== undefined && valuesOf(attribute).some((value) => meets(value, condition));
    }),
  );
}

function valuesOf({ type, value }: Attribute): readonly unknown[] {
  if (type === 'String.Array') return JSON.parse(value) as unknown[];
  return [type === 'Number' ? Number(value) : value];
}

function meets(value: unknown, condition: unknown): boolean {
  if (typeof condition === 'string') return value === condition;
  const { numeric, 'equals-ignore-case': inAnyCase } = condition as {
    readonly numeric?: readonly ['=', number];
    readonly 'equals-ignore-case'?: string;
  };
  if (numeric) return value === numeric[1];
  return typeof value === 'string' && value.toLowerCase() === inAnyCase?.toLowerCase();
}
