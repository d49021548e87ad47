import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { heldByStates } from '../panels/held-by-states.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { Clock } from '../run/clock.ts';
import { readListings } from '../store/dynamodb-listing.ts';
import type { History } from '../store/history/history.ts';
import type { NamedPlace } from '../store/history/unknown-names.ts';
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
