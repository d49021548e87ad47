import type { Clock } from '../../lambdas/clock/clock.ts';
import { type DecisionOutcome, decide } from '../../lambdas/worklist/decide.ts';
import type { WorklistEntry } from '../../lambdas/worklist/worklist-entry.ts';
import type { WorklistStore } from '../../lambdas/worklist/worklist-record.ts';
import type { WorklistState } from '../../lambdas/worklist/worklist-states.ts';
import type { Person } from '../access/person.ts';
import type { AuditLog } from '../sign-in/audit-log.ts';

/** What a person decides about some entries. */
interface Deciding {
  readonly person: Person;
  readonly state: WorklistState;
  readonly why: string;
  /** Each entry as `<id>:<revision>`: the decisions that the person saw. */
  readonly chosen: readonly string[];
}

interface DecidingPlace {
  readonly entries: readonly WorklistEntry[];
  readonly store: WorklistStore;
  readonly audit: Pick<AuditLog, 'write'> | undefined;
  readonly clock: Clock;
}

/** What became of a decision about one entry. */
export interface Decided {
  /** Absent, as the outcome is null, where the worklist has no such entry. */
  readonly entry: WorklistEntry | undefined;
  readonly outcome: DecisionOutcome | null;
}

/** Decides about the chosen entries, one after another, with two lines in the audit log for each. Returns what became of each. */
export async function decideAudited(
  { person, state, why, chosen }: Deciding,
  { entries, store, audit, clock }: DecidingPlace,
): Promise<readonly Decided[]> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const decided: Decided[] = [];
  for (const text of chosen) {
    const [id = '', revision = ''] = text.split(':');
    const entry = byId.get(id);
    const deciding = { state, by: nameInDecisions(person), why, revision: Number(revision) };
    const about = { person: person.id, entry: id };
    // Written before it counts: a decision without its line in the audit log cannot be.
    await audit?.write({ action: 'decides', ...about, name: person.name, state, revision });
    const outcome = entry ? await decide(entry, deciding, { store, clock }) : null;
    await audit?.write({ action: 'decided', ...about, outcome: outcome?.kind ?? 'no such entry' });
    decided.push({ entry, outcome });
  }
  return decided;
}

/** The name that decisions, readings and comments keep. Two people may have one name: the account distinguishes them. */
export const nameInDecisions = ({ name, account }: Person): string =>
  (name === account ? name : `${name} (${account})`).slice(0, 200);
