/** The states of an entry. It has exactly one of them. */
export const worklistStates = ['open', 're-analyse', 'wait-for-sign-off', 'no-action', 'done'] as const;
export type WorklistState = (typeof worklistStates)[number];

interface StateForm {
  /** For people. */
  readonly words: string;
  /** Whether somebody still has to do something: then the entry becomes overdue. */
  readonly isPending: boolean;
}

/** What each state means. */
export const worklistStateForms: Readonly<Record<WorklistState, StateForm>> = {
  open: { words: 'open', isPending: true },
  're-analyse': { words: 're-analyse', isPending: true },
  'wait-for-sign-off': { words: 'wait for sign-off', isPending: false },
  'no-action': { words: 'no action', isPending: false },
  done: { words: 'done', isPending: false },
};
