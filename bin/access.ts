import { type Access, anonymous, fixedHeader } from '../lambdas/catalogue/access.ts';
import type { Io } from './command.ts';

/** How the command line gets into a catalogue; credentials come from the environment, never from arguments. */
export function accessFromEnvironment(env: Io['env']): Access {
  const authorization = env.CATALOGUE_AUTHORIZATION;
  return authorization ? fixedHeader('Authorization', authorization) : anonymous;
}
