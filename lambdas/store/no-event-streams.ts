/**
 * Replaces the SDK's event streams in a function's bundle: no operation that is called has one. The SDK imports them when
 * they are needed, and esbuild then makes every module that they share with the clients one that is evaluated late,
 * which takes longer to load and cannot leave out what is not used.
 */
export const eventStreamSerdeProvider = () => undefined;

/** The settings of a client, without a marshaller of event streams. */
export const resolveEventStreamSerdeConfig = <Settings>(settings: Settings): Settings => settings;

/** Takes the place of the SDK's class of this name. */
export class EventStreamSerde {
  /** @throws {Error} always */
  constructor() {
    throw new Error(
      'Calling AWS: the operation has an event stream, which the bundles of the functions leave out. Take no-event-streams.ts out of lib/bundle.ts to call it.',
    );
  }
}
