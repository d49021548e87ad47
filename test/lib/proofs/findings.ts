import type { AwsFacts } from '../../templates/aws-facts.ts';
import { deliveryFindings } from './deliveries.ts';
import { exportFindings, functionFindings, logFindings, servingFindings } from './function-needs.ts';
import type { Resource } from './resolved-stack.ts';
import {
  actionFindings,
  limitFindings,
  networkFindings,
  sharingFindings,
  tlsFindings,
  visibilityFindings,
} from './shape.ts';
import { silenceFindings } from './silence.ts';

/** What AWS would refuse, or would drop without a word; each names the resource. */
export function findings(stack: readonly Resource[], { actions }: AwsFacts): readonly string[] {
  const known = Object.fromEntries(
    Object.entries(actions).map(([service, names]) => [service, names.split(' ')]),
  );
  return [
    ...deliveryFindings(stack),
    ...functionFindings(stack),
    ...exportFindings(stack),
    ...servingFindings(stack),
    ...logFindings(stack),
    ...networkFindings(stack),
    ...silenceFindings(stack),
    ...tlsFindings(stack),
    ...sharingFindings(stack),
    ...visibilityFindings(stack),
    ...actionFindings(stack, known),
    ...limitFindings(stack),
  ];
}
