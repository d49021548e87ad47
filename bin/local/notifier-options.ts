import type { Access } from '../../lambdas/catalogue/http/access.ts';
import type { FollowedPanels } from '../../lambdas/filters/followed-panels.ts';
import type { ArchivePace } from '../../lambdas/panels/settings.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Io } from '../command.ts';
import type { SettingsStage } from '../settings-stage.ts';

/** What a notifier on this machine follows, and where it keeps and sends what it finds. */
export interface LocalNotifierOptions {
  /** The catalogue's name in the events and in the state; its host where absent. */
  readonly name?: string;
  /** The catalogue's address. */
  readonly url: string;
  /** The address of the catalogue that a relay at that address serves. */
  readonly original?: string | undefined;
  readonly access: Access;
  /** Where state and history are kept; in memory where absent. */
  readonly state?: string | undefined;
  readonly overlap: Instant;
  readonly from?: Instant;
  readonly learnSince?: Instant;
  /** The address that the catalogue had before it moved. */
  readonly movedFrom?: string;
  /** A listing that lost more of its panels or regions than this, in percent, is not trusted. */
  readonly shrunkenPercent?: number | undefined;
  /** Where more of the panels have the same kind of change, in percent, it waits for a later sweep. */
  readonly sameChangePercent?: number | undefined;
  /** Days for which events and the rows of the ledger are kept; without end where absent. */
  readonly historyDays?: number | undefined;
  /** How often the states of panels are asked for; the default where absent. */
  readonly archivePace?: ArchivePace;
  /** Days for which states of panels are kept, apart from the newest; as long as events where absent. */
  readonly keepStateDays?: number | undefined;
  /** The panels whose states are read first. */
  readonly followed?: FollowedPanels | undefined;
  /** The catalogues of the same state that it is compared with, and the content of their file of pairs. */
  readonly comparedWith?: Readonly<Record<string, string | null>>;
  readonly publisher: Publisher;
  /** Settings whose subscriptions get messages. */
  readonly messages?: SettingsStage | undefined;
  /** Whether this process goes on: one at a time watches with a state, and sends its messages. */
  readonly watches?: boolean;
  /** The catalogue is a sandbox: each message says so. */
  readonly madeUp?: boolean;
  readonly log: Log;
  readonly io: Io;
}
