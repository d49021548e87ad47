import { panelTypes } from './panel-types.ts';
import { dayOf } from './sign-offs.ts';
import type { Panel } from './state.ts';
import { chance, pick, several, someOf, type Values } from './values.ts';

interface PanelStart {
  readonly id: number;
  readonly at: number;
}

/** A panel without entities, at version 0.0. */
export function drawPanel(values: Values, { id, at }: PanelStart): Panel {
  const name = values.panelName();
  return {
    id,
    name,
    description: `About ${name}`,
    status: 'public',
    major: 0,
    minor: 0,
    versionCreated: at,
    types: someOf(values, 30, panelTypes),
    diseaseGroup: pick(values, [
      'Neurology and neurodevelopmental disorders',
      'Cardiovascular disorders',
      '',
    ]),
    diseaseSubGroup: pick(values, ['Motor and sensory disorders', '']),
    relevantDisorders: several(values, 0, 2, () => values.disorder()),
    hpoTerms: several(values, 0, 2, () => values.hpoTerm()),
    childPanels: [],
    signOffs: chance(values, 40) ? [{ version: '0.0', day: dayOf(at) }] : [],
    entities: [],
  };
}
