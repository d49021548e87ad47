import type { PanelEvent } from '../../events/schemas.ts';
import type { EntityHistory, EntityStatus } from '../../filters/entity-history.ts';
import { greenTurnOf, greenTurns } from '../../filters/green-turn.ts';
import { foldEntities } from '../../filters/net-changes.ts';
import { type ChangeBase, changeBase, turnId } from './change-of-event.ts';
import type { FoundChange, LaterTurn, SignedOffThen } from './found-changes.ts';
import type { WorklistChange } from './worklist-change.ts';

const signedOffIn = ({ data: { panel } }: PanelEvent): SignedOffThen => ({
  version: panel?.signedOffVersion ?? null,
  isSignedOff: panel?.signedOff ?? null,
});

/** One change of the rating of an entity. Two events of one instant are one turn. */
interface Turn {
  readonly base: ChangeBase;
  readonly signedOff: SignedOffThen;
  readonly from: EntityStatus;
  readonly to: EntityStatus;
}

/** Follows entities through events, and finds where they turn green and where they cease to be. */
interface GreenTurns {
  /** Takes the next event, oldest first. */
  add(event: PanelEvent): void;
  /** What turned green or ceased to be, as far as the events say, and the change that each of these events is part of. */
  result(): { readonly changes: readonly FoundChange[]; readonly byEvent: ReadonlyMap<string, FoundChange> };
}

/** Finds the turns of the entities of panels. */
export function createGreenTurns(): GreenTurns {
  const folded = foldEntities();
  const tracks = new Map<EntityHistory, { seen: number; readonly turns: Turn[] }>();
  /** The turn of each event, by the track and the place in it. */
  const events = new Map<string, { readonly track: EntityHistory; readonly place: number }>();
  return {
    add(event) {
      const history = folded.add(event);
      const steps = history?.change()?.steps;
      if (!history || !steps) return;
      const track = tracks.get(history) ?? { seen: 0, turns: [] };
      tracks.set(history, track);
      const isNew = steps.length > track.seen;
      track.seen = steps.length;
      const [from, to] = steps.slice(-2);
      if (isNew && from !== undefined && to !== undefined)
        join(track.turns, { base: changeBase(event), signedOff: signedOffIn(event), from, to });
      if (track.turns.at(-1)?.base.at === event.time)
        events.set(event.id, { track: history, place: track.turns.length - 1 });
    },
    result() {
      const found = new Map<Turn, FoundChange>();
      for (const { turns } of tracks.values()) {
        const all = turns.map(laterTurnOf);
        for (const [place, turn] of turns.entries()) {
          const change = changeOf(turn, turns[place - 1], turns[place + 1]);
          if (change)
            found.set(turn, { ...withLater(change, all.slice(place + 1)), signedOff: turn.signedOff });
        }
      }
      const byEvent = new Map<string, FoundChange>();
      for (const [id, { track, place }] of events) {
        const turn = tracks.get(track)?.turns[place];
        const change = turn && found.get(turn);
        if (change) byEvent.set(id, change);
      }
      return { changes: [...found.values()], byEvent };
    },
  };
}

/** An addition and its rating have one time, in either order: together they are one turn. */
function join(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (!last || last.base.at !== turn.base.at || turn.base.at === '') turns.push(turn);
  else turns[turns.length - 1] = { ...last, to: turn.to };
}

/** What a turn means; null where what counts stays as it was. */
function changeOf(
  { base, from, to }: Turn,
  last: Turn | undefined,
  next: Turn | undefined,
): WorklistChange | null {
  // Whether an entity that lost its rating with its source is green still, its next turn says.
  const settled = from === 'green' && to === 'unknown' ? (next?.to ?? to) : to;
  const turn = greenTurnOf(from, settled) ?? greenTurnOf(from, to);
  if (turn === null) return null;
  const { isGreen } = greenTurns[turn];
  const known = from === 'unknown' ? last?.from : from;
  // Of a rating that was unknown from the beginning, green is possible. A loss of a source is one change with what it led to.
  const isPublished =
    from === 'unknown' ? last !== undefined : last?.from === 'green' && last.to === 'unknown';
  if (!isGreen && isPublished) return null;
  const isCertain = isGreen
    ? known !== undefined && known !== 'green' && known !== 'unknown'
    : greenTurns[turn].isCertain;
  return {
    ...{ ...base, from, to, isCertain },
    id: turnId(base, isGreen ? 'green' : 'not green'),
    kind: isGreen ? 'now-green' : 'no-longer-green',
  };
}

function withLater(
  change: WorklistChange,
  later: FoundChange['later'],
): Pick<FoundChange, 'change' | 'later' | 'isReverted'> {
  return { change, later, isReverted: isTakenBack(change, later) };
}

/** Whether the last of what happened later took a turn back. */
export function isTakenBack({ kind }: Pick<WorklistChange, 'kind'>, later: FoundChange['later']): boolean {
  const now = later.at(-1)?.to;
  return now !== undefined && (kind === 'now-green') !== (now === 'green');
}

const laterTurnOf = ({ base, from, to }: Turn): LaterTurn => ({
  ...{ event: base.event.id, at: base.at, from, to, version: base.panel.version },
});
