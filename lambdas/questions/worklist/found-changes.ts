import type { PanelEvent } from '../../events/schemas.ts';
import { compileFilter, type Filter } from '../../filters/filter.ts';
import { countsAsGreen, inheritanceOf, isOtherInheritance } from '../../filters/inheritance-change.ts';
import { type Names, noNames } from '../../filters/names.ts';
import { changeBase, eventEntryId } from './change-of-event.ts';
import { changeFilter } from './facts-of-change.ts';
import { createGreenTurns, type FoundChange } from './green-turns.ts';
import { isSignOffEvent, type SignOffEvent } from './sign-off-changes.ts';
import { asksForEvents, type WorklistSettings } from './worklist-settings.ts';

/** What the events of a history give a worklist, before the states of panels are asked. */
interface FoundChanges {
  /** Changes of working versions that the filter asks for. */
  readonly changes: readonly FoundChange[];
  /** Every sign-off and withdrawal, oldest first, also of panels that the filter leaves out. */
  readonly signOffs: readonly SignOffEvent[];
  /** Rows of the log that could not be read, on the panels asked for: they may state a change. */
  readonly unreadRows: number;
}

/** Collects the changes of a worklist; memory grows with what changed. */
interface ChangesBuilder {
  /** Takes the next event; events come oldest first. */
  add(event: PanelEvent): void;
  result(): FoundChanges;
}

/** The kinds of events that a worklist of green reads. */
export const kindsOfGreen = [
  'entity.classified',
  'entity.added',
  'entity.removed',
  'entity.renamed',
  'entity.annotated',
  'panel.signed-off',
  'activity.unclassified',
] as const satisfies NonNullable<Filter['types']>;

/** Finds the changes that the settings of a worklist ask for. */
export function createFoundChanges(
  { filter, counts }: Pick<WorklistSettings, 'filter' | 'counts'>,
  names: Names = noNames,
): ChangesBuilder {
  const turns = createGreenTurns();
  const byEvents = counts === 'working' && asksForEvents(filter);
  const matchesEvent = compileFilter(filter, names);
  const matchesChange = changeFilter(filter, names);
  const matched: ReturnType<typeof changeBase>[] = [];
  const inheritance = new Map<string, FoundChange>();
  const signOffs: SignOffEvent[] = [];
  let unreadRows = 0;
  return {
    add(event) {
      turns.add(event);
      const ofInheritance = inheritanceChange(event);
      if (ofInheritance && counts === 'working') inheritance.set(event.id, ofInheritance);
      if (isSignOffEvent(event)) signOffs.push(event);
      if (byEvents && matchesEvent(event)) matched.push(changeBase(event));
      else if (event.type === 'gene-panel.activity.unclassified.v1' && matchesChange(wholeOf(event)))
        unreadRows++;
    },
    result() {
      const { changes, byEvent } = turns.result();
      if (!byEvents) {
        const all = [...changes, ...inheritance.values()];
        return { changes: all.filter(({ change }) => matchesChange(change)), signOffs, unreadRows };
      }
      const found = matched.map(
        (base) => byEvent.get(base.event.id) ?? inheritance.get(base.event.id) ?? wholeEvent(base),
      );
      return { changes: [...new Set(found)], signOffs, unreadRows };
    },
  };
}

const nothingLater = {
  later: [],
  isReverted: false,
  signedOff: { version: null, isSignedOff: null },
} as const;

/** The entry for another mode of inheritance of an entity that is green, or may be; null for other events. */
function inheritanceChange(event: PanelEvent): FoundChange | null {
  const step = inheritanceOf(event);
  if (!step || !isOtherInheritance(step) || event.type !== 'gene-panel.entity.annotated.v1') return null;
  const rating = event.data.change.rating ?? 'unknown';
  if (!countsAsGreen(rating)) return null;
  return {
    change: {
      ...changeBase(event),
      ...{ id: eventEntryId(event.id, 'inheritance'), kind: 'inheritance-changed' },
      ...{ isCertain: rating === 'green', from: null, to: null, inheritance: step },
    },
    ...nothingLater,
  };
}

const wholeEvent = (base: ReturnType<typeof changeBase>): FoundChange => ({
  change: {
    ...base,
    ...{ id: eventEntryId(base.event.id), kind: 'other-change', isCertain: true, from: null, to: null },
  },
  ...nothingLater,
});

const wholeOf = (event: PanelEvent): FoundChange['change'] => wholeEvent(changeBase(event)).change;
