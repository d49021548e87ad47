import type { Catalogues } from '../catalogues.ts';
import type { Checks } from '../checks.ts';
import type { Surroundings } from '../deployed-function.ts';
import type { Receivers } from '../receivers.ts';
import type { Stage } from '../stage.ts';

/** What all scenarios share. */
export interface ScenarioContext extends Surroundings {
  readonly stage: Stage;
  readonly catalogues: Catalogues;
  readonly receivers: Receivers;
  readonly checks: Checks;
  readonly say: (line: string) => void;
}
