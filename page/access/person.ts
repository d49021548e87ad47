import * as z from 'zod';

/** What a person may do: a reader reads; a decider also decides about entries of the worklist. */
const roles = ['reader', 'decider'] as const;
export type Role = (typeof roles)[number];

/** A person as the identity provider or the proxy names them. */
export const personSchema = z.object({
  /** Stable and unique: the issuer with its subject, or the name that the proxy states. */
  id: z.string().min(1),
  name: z.string().min(1),
  /** What distinguishes people of one name: a user name, an address, or the subject. */
  account: z.string().min(1),
  role: z.enum(roles),
});
export type Person = z.infer<typeof personSchema>;
