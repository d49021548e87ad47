import type { Hono } from 'hono';
import { isAssignedTo } from '../../lambdas/questions/worklist/assign.ts';
import { comment } from '../../lambdas/questions/worklist/comment.ts';
import { headlineOf } from '../../lambdas/questions/worklist/entry-words.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/questions/worklist/worklist-states.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Html, html } from '../frame/html.ts';
import type { RouteContext } from '../route-context.ts';
import {
  assignAudited,
  chosenEntries,
  type Decided,
  decideAudited,
  nameInDecisions,
} from './decide-audited.ts';
import { mayDecide } from './entry-view.ts';
import { entriesCalled, noWorklist, statedList } from './worklist-query.ts';

/** More are chosen by no person. */
const MOST_AT_ONCE = 500;

/** What deciders send: comments on an entry, and decisions about one entry or many, and whose they are. */
export function addWorklistForms(app: Hono, context: RouteContext): void {
  const { clock } = context;

  app.post('/worklist/comment', async ({ req, redirect }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse(
        'You may not comment',
        'Deciders comment on entries; your role is another one.',
        403,
      );
    }
    const { entry: id, text } = await req.parseBody();
    if (typeof id !== 'string' || typeof text !== 'string') {
      return context.refuse('Nothing was kept', 'Write a comment on an entry.', 400);
    }
    const entries = await entriesCalled([id], context);
    if (!entries || !context.worklist) return noWorklist(context);
    const [entry] = entries;
    if (!entry) return context.refuse('No such entry', 'The worklist has no entry of this id.', 404);
    const audited = { person: person.id, entry: entry.id };
    await context.audit?.write({ action: 'comments', ...audited, name: person.name });
    const said = { by: nameInDecisions(person), text };
    const outcome = await comment(entry, said, { store: context.worklist.store, clock });
    await context.audit?.write({ action: 'commented', ...audited, outcome: outcome.kind });
    if (outcome.kind === 'refused') return context.refuse('Nothing was kept', outcome.sentence, 400);
    return redirect(`/worklist/${entry.id}`, 303);
  });

  app.post('/worklist/decide', async ({ req }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse(
        'You may not decide',
        'Deciders decide about entries; your role is another one.',
        403,
      );
    }
    const { entry: given = [], state: wanted, why, list } = await req.parseBody({ all: true });
    const state = worklistStates.find((each) => each === wanted);
    const chosen = chosenEntries([given].flat().filter((text) => typeof text === 'string'));
    if (state === undefined || typeof why !== 'string' || why.trim() === '' || chosen.length === 0) {
      return context.refuse(
        'Nothing was decided',
        'Choose at least one entry and a state, and give a reason.',
        400,
      );
    }
    if (chosen.length > MOST_AT_ONCE) {
      return context.refuse(
        'Nothing was decided',
        `You chose ${chosen.length} entries; at most ${MOST_AT_ONCE} are decided about at once. Choose fewer.`,
        400,
      );
    }
    const entries = await entriesCalled(
      chosen.map(({ id }) => id),
      context,
    );
    if (!entries || !context.worklist) return noWorklist(context);
    const decided = await decideAudited(
      { person, state, why, chosen },
      { entries, store: context.worklist.store, audit: context.audit, clock },
    );
    return answered(decided, { heading: 'Decided', now: `“${worklistStateForms[state].words}”`, list });
  });

  app.post('/worklist/assign', async ({ req }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse('You may not assign', 'Deciders assign entries; your role is another one.', 403);
    }
    const { entry: given = [], to, me, list } = await req.parseBody({ all: true });
    const chosen = chosenEntries([given].flat().filter((text) => typeof text === 'string'));
    if (chosen.length === 0 || chosen.length > MOST_AT_ONCE || typeof to !== 'string')
      return context.refuse(
        'Nothing was assigned',
        `Choose at least one entry, and at most ${MOST_AT_ONCE}.`,
        400,
      );
    const entries = await entriesCalled(
      chosen.map(({ id }) => id),
      context,
    );
    if (!entries || !context.worklist) return noWorklist(context);
    const named = me === undefined ? await personCalled(to.trim(), context) : nameInDecisions(person);
    if (named === undefined) {
      const known = (await peopleOf(context)).join(', ');
      return context.refuse(
        'Nothing was assigned',
        `No decider who signed in here is called “${cleanLine(to)}”. ${known === '' ? '' : `These are known: ${known}.`}`,
        404,
      );
    }
    const decided = await assignAudited(
      { person, to: named, chosen },
      { entries, store: context.worklist.store, audit: context.audit, clock },
    );
    const now = named === null ? 'assigned to nobody' : `assigned to ${cleanLine(named)}`;
    return answered(decided, { heading: 'Assigned', now, list });
  });

  function answered(
    decided: readonly Decided[],
    {
      heading,
      now,
      list,
    }: { readonly heading: 'Decided' | 'Assigned'; readonly now: string; readonly list: unknown },
  ): Promise<Response> {
    const isDone = decided.every(({ refusal }) => refusal === null);
    const title = isDone ? heading : `Not everything was ${heading.toLowerCase()}`;
    const main = outcomeView({ decided, heading: title, now, list: statedList(list, context) });
    return context.answer({ title, current: 'worklist', main }, isDone ? 200 : 409);
  }
}

/** The names of the deciders who signed in here once; none where there is no sign-in. */
export const peopleOf = async ({ notes }: RouteContext): Promise<readonly string[]> =>
  ((await notes?.people()) ?? []).filter(({ role }) => role === 'decider').map(nameInDecisions);

/** A person as decisions name them; null for an empty name, undefined where no decider, or more than one, is called so. */
async function personCalled(name: string, context: RouteContext): Promise<string | null | undefined> {
  if (name === '') return null;
  if (!context.notes) return name;
  const found = (await peopleOf(context)).filter((each) => isAssignedTo(each, [name]));
  return found.length === 1 ? found[0] : undefined;
}

interface Outcome {
  readonly decided: readonly Decided[];
  /** `Decided`, where everything was. */
  readonly heading: string;
  /** What the entries are now: `“done”`. */
  readonly now: string;
  /** The address of the list from which the form was sent. */
  readonly list: string;
}

/** What became of the entries of one form, those that stay as they were first. */
function outcomeView({ decided, heading, now, list }: Outcome): Html {
  const made = decided.filter(({ refusal }) => refusal === null);
  const others = decided.filter(({ refusal }) => refusal !== null);
  return html`<div class="page">
<h1>${heading}</h1>
${others.length === 0 ? '' : html`<ul class="warning">${others.map((each) => html`<li>${nameView(each)}: ${cleanLine(each.refusal ?? '', 5_000)}</li>`)}</ul>`}
${made.length === 0 ? '' : html`<p>${made.length === 1 ? 'This is' : `These ${made.length} are`} now ${now}:</p><ul class="decisions">${made.map((each) => html`<li>${nameView(each)}</li>`)}</ul>`}
<p><a class="button" href="${list}">Back to the list</a></p>
</div>`;
}

const nameView = ({ entry }: Decided): Html =>
  entry
    ? html`<a href="/worklist/${entry.id}">${cleanLine(headlineOf(entry))}</a> <span class="fine">${cleanLine(entry.panel.name)}</span>`
    : html`An entry`;
