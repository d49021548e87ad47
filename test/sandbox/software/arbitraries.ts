import fc from 'fast-check';
import type { Activity } from '../../../lambdas/catalogue/schemas.ts';
import { drawEntity } from '../../../sandbox/software/draw.ts';
import { type Kind, kinds } from '../../../sandbox/software/kinds.ts';
import type { ActionInput } from '../../../sandbox/software/recording.ts';
import { drawPanel } from '../../../sandbox/software/software.ts';
import type { CodeLine, Entity, Fact, Panel, Rating } from '../../../sandbox/software/state.ts';
import {
  capitalizedLabelOf,
  chance,
  type EntityType,
  entityTypes,
  labelOf,
  pick,
  renderCreated,
  several,
  type Values,
  type Zone,
} from '../../../sandbox/software/values.ts';
import { type Draw, type HostileValues, hostileValues } from './hostile/values.ts';
import { readRowText } from './oracle/read-row-text.ts';

/** What one action wrote, with hostile text and names, and what is truly stated by it. */
interface HostileActivity {
  readonly kind: string;
  readonly codeLine: CodeLine;
  /** Oldest first. */
  readonly rows: readonly Activity[];
  readonly truth: readonly Fact[];
}

// `fc.gen()` draws from a copy of the random state, and would draw the same again after a refusal by the filter:
// a number drawn before it moves the state on.
const anyDraw: fc.Arbitrary<Draw> = fc
  .tuple(fc.noShrink(fc.nat()), fc.gen())
  .map(([_moved, draw]) => draw as Draw);

/**
 * One arbitrary for each kind of action (`kinds.ts`). Only ambiguous texts are left out: free text that
 * imitates the wordings of its own row, with the row's own entity, at a place where the genuine line could
 * stand. `oracle/read-row-text.ts` finds these by reading every row in all the ways that the tables of wordings allow.
 */
export const activitiesByKind: Readonly<Record<string, fc.Arbitrary<HostileActivity>>> = Object.fromEntries(
  kinds.map((kind) => [kind.kind, activityOf(kind)]),
);

/** An action of any kind. */
export const anyActivity: fc.Arbitrary<HostileActivity> = fc.oneof(...Object.values(activitiesByKind));

function activityOf(kind: Kind): fc.Arbitrary<HostileActivity> {
  return anyDraw
    .map((draw) => playHostile(kind, hostileValues(draw)))
    .filter(({ ambiguous, rows }) => !ambiguous && rows.length > 0)
    .map(({ codeLine, rows, truth }) => ({ kind: kind.kind, codeLine, rows, truth }));
}

function playHostile(kind: Kind, values: HostileValues): HostileActivity & { readonly ambiguous: boolean } {
  const codeLine = kind.only ?? pick(values, ['uk-2019', 'au'] as const);
  const zone: Zone = pick(values, ['utc', 'sydney']);
  const { rows, truth, ambiguous } = kind.perform(hostileScene(kind, codeLine, values));
  return {
    kind: kind.kind,
    codeLine,
    rows: rows.map(({ at, row }) => ({ created: renderCreated(at, zone), ...row })),
    truth,
    ambiguous,
  };
}

function hostileScene(kind: Kind, codeLine: CodeLine, values: HostileValues): ActionInput {
  // A time with daylight saving in Sydney or without, whole seconds among them.
  const at = values.integer(1_600_000_000, 1_700_000_000) * 1_000_000 + values.integer(0, 999_999);
  const type: EntityType = kind.on ?? pick(values, entityTypes);
  const panel = grownPanel(values, 1, at);
  const otherPanel = grownPanel(values, 2, at);
  if (chance(values, 30)) panel.childPanels = [otherPanel];
  const entity = settledEntity(values, type);
  panel.entities.push(entity);
  if (chance(values, 20)) otherPanel.entities.push({ ...structuredClone(entity) });
  const { name } = entity;
  values.imitate({
    name,
    panel: panel.name,
    label: labelOf(type, name),
    Label: capitalizedLabelOf(type, name),
  });
  const person = { name: values.personName(), curator: chance(values, 70) };
  const gap = (): number => values.gap();
  return {
    session: { codeLine, panel, person, at, gap, readText: readRowText },
    entity,
    otherPanel,
    panels: [panel, otherPanel],
    values,
  };
}

function grownPanel(values: Values, id: number, at: number): Panel {
  const panel = drawPanel(values, { id, at });
  panel.major = values.integer(0, 3);
  panel.minor = values.integer(0, 120);
  return panel;
}

/** An entity that has been on its panel for a while, with something to change in every field. */
function settledEntity(values: Values, type: EntityType): Entity {
  const entity = drawEntity(values, type);
  entity.rating = pick<Rating>(values, ['green', 'amber', 'red', 'none']);
  entity.tags = several(values, 1, 3, () => values.tag());
  entity.comments = several(values, 0, 2, () => values.comment());
  if (type !== 'gene') entity.modeOfPathogenicity = null;
  return entity;
}
