import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../clock/clock.ts';
import type { History } from '../history/history.ts';
import type { NamedPlace } from '../history/unknown-names.ts';
import { heldByStates } from '../panel-states/held-by-states.ts';
import type { PanelStateStore } from '../panel-states/panel-state-store.ts';
import { readListings } from '../state/dynamodb-listings.ts';
import type { NotifyPlan } from './subscription.ts';

interface DeployedPlaceOptions {
  readonly dynamodb: DynamoDBClient;
  /** The table of the state, in which the polls keep the last listing of panels. */
  readonly table: string;
  readonly plan: Pick<NotifyPlan, 'catalogues'>;
  readonly history: History;
  readonly statesOf: (catalogue: string) => Pick<PanelStateStore, 'panels' | 'newest'>;
  readonly clock: Clock;
}

/** Where a deployed stage looks the names of its filters up: its history, its listings of panels, and their newest states. */
export function deployedPlace(options: DeployedPlaceOptions): NamedPlace {
  const { dynamodb, table, plan, history, statesOf, clock } = options;
  const listings: NamedPlace['listings'] = () =>
    readListings({ dynamodb, table, catalogues: plan.catalogues, clock });
  return {
    history,
    isLocal: false,
    listings,
    held: async () => heldByStates({ catalogues: plan.catalogues, statesOf, listings: await listings() }),
  };
}
