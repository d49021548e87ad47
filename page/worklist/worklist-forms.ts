import type { Hono } from 'hono';
import { isAssignedTo } from '../../lambdas/questions/worklist/assign.ts';
import { comment } from '../../lambdas/questions/worklist/comment.ts';
import { headlineOf } from '../../lambdas/questions/worklist/entry-words.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/questions/worklist/worklist-states.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import type { Person } from '../access/access.ts';
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

/** A form that a decider sent: the entries that it states, and where they are. */
interface Sent {
  readonly form: Readonly<Record<string, unknown>>;
  readonly chosen: ReturnType<typeof chosenEntries>;
  placeOfEntries(): Promise<Parameters<typeof decideAudited>[1]>;
}

/** What deciders send: comments on an entry, and decisions about one entry or many, and whose they are. */
export function addWorklistForms(app: Hono, context: RouteContext): void {
  const { clock, audit } = context;

  /** Answers a form of deciders; other people, and a place without a worklist, are refused. */
  const answer = (
    verb: string,
    { does, by }: { readonly does: string; by(person: Person, sent: Sent): Promise<Response> },
  ): void => {
    app.post(`/worklist/${verb}`, async ({ req }) => {
      const { person } = context.visitor();
      if (person === null || !mayDecide(context.visitor()))
        return context.refuse(`You may not ${verb}`, `Deciders ${does}; your role is another one.`, 403);
      if (!context.worklist) return noWorklist(context);
      const { store } = context.worklist;
      const form = await req.parseBody({ all: true });
      const texts = [form.entry ?? []].flat().filter((text) => typeof text === 'string');
      const chosen = chosenEntries(texts);
      const ids = chosen.map(({ id }) => id);
      const placeOfEntries = async () => ({
        entries: (await entriesCalled(ids, context)) ?? [],
        ...{ store, audit, clock },
      });
      return by(person, { form, chosen, placeOfEntries });
    });
  };

  answer('comment', {
    does: 'comment on entries',
    async by(person, { form: { text }, chosen, placeOfEntries }) {
      if (chosen.length !== 1 || typeof text !== 'string')
        return context.refuse('Nothing was kept', 'Write a comment on an entry.', 400);
      const place = await placeOfEntries();
      const [entry] = place.entries;
      if (!entry) return context.refuse('No such entry', 'The worklist has no entry of this id.', 404);
      const audited = { person: person.id, entry: entry.id };
      await audit?.write({ action: 'comments', ...audited, name: person.name });
      const outcome = await comment(entry, { by: nameInDecisions(person), text }, place);
      await audit?.write({ action: 'commented', ...audited, outcome: outcome.kind });
      if (outcome.kind === 'refused') return context.refuse('Nothing was kept', outcome.sentence, 400);
      return new Response(null, { status: 303, headers: { location: `/worklist/${entry.id}` } });
    },
  });

  answer('decide', {
    does: 'decide about entries',
    async by(person, { form: { state: wanted, why, list }, chosen, placeOfEntries }) {
      const refused = (sentence: string) => context.refuse('Nothing was decided', sentence, 400);
      const state = worklistStates.find((each) => each === wanted);
      if (state === undefined || typeof why !== 'string' || why.trim() === '' || chosen.length === 0)
        return refused('Choose at least one entry and a state, and give a reason.');
      if (chosen.length > MOST_AT_ONCE)
        return refused(
          `You chose ${chosen.length} entries; at most ${MOST_AT_ONCE} are decided about at once. Choose fewer.`,
        );
      const decided = await decideAudited({ person, state, why, chosen }, await placeOfEntries());
      return answered(decided, { heading: 'Decided', now: `“${worklistStateForms[state].words}”`, list });
    },
  });

  answer('assign', {
    does: 'assign entries',
    async by(person, { form: { to, me, list }, chosen, placeOfEntries }) {
      const refused = (sentence: string, code: number) =>
        context.refuse('Nothing was assigned', sentence, code);
      if (chosen.length === 0 || chosen.length > MOST_AT_ONCE || typeof to !== 'string')
        return refused(`Choose at least one entry, and at most ${MOST_AT_ONCE}.`, 400);
      const named = me === undefined ? await personCalled(to.trim(), context) : nameInDecisions(person);
      if (named === undefined) {
        const known = (await peopleOf(context)).join(', ');
        return refused(
          `No decider who signed in here is called “${cleanLine(to)}”. ${known === '' ? '' : `These are known: ${known}.`}`,
          404,
        );
      }
      const decided = await assignAudited({ person, to: named, chosen }, await placeOfEntries());
      const now = named === null ? 'assigned to nobody' : `assigned to ${cleanLine(named)}`;
      return answered(decided, { heading: 'Assigned', now, list });
    },
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
