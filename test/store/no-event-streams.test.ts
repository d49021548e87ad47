import * as replaced from '@smithy/core/event-streams';
import { expect, test } from 'vitest';
import {
  EventStreamSerde,
  eventStreamSerdeProvider,
  resolveEventStreamSerdeConfig,
} from '../../lambdas/store/no-event-streams.ts';

test('the replacement has what clients import of the SDK’s event streams, and refuses to have one', () => {
  expect(replaced).toMatchObject({
    EventStreamSerde: expect.any(Function),
    eventStreamSerdeProvider: expect.any(Function),
    resolveEventStreamSerdeConfig: expect.any(Function),
  });
  expect(resolveEventStreamSerdeConfig({ region: 'eu-west-2' })).toEqual({ region: 'eu-west-2' });
  expect(eventStreamSerdeProvider()).toBeUndefined();
  expect(() => new EventStreamSerde()).toThrow(/the operation has an event stream/);
});
