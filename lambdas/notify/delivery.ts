import { hash } from 'node:crypto';
import type { PanelEvent } from '../events/schemas.ts';
import type { AlarmChange } from '../words/alarm.ts';
import type { DigestPeriod } from '../words/notice-of-digest.ts';

/** An event that waits for its message. */
export interface Waiting {
  /** When it was taken in, in milliseconds since the epoch. */
  readonly at: number;
  readonly event: PanelEvent;
  /** The delivery that it is part of. */
  readonly delivery?: string;
}

/**
 * What a delivery says. A digest does not name its events, because a month may have more than one item can hold: it has
 * those that were taken in before the end of its period and are not part of an earlier digest.
 */
export type DeliveryContent =
  | { readonly kind: 'events'; readonly events: readonly string[] }
  | {
      readonly kind: 'digest';
      readonly period: DigestPeriod;
      /** Panels whose messages this one replaces, because there would be far more of them than ever before. */
      readonly burst?: number;
      /** Panels whose messages this one replaces, because there would be many within minutes. */
      readonly bundle?: number;
    }
  | { readonly kind: 'alarm'; readonly alarm: AlarmChange };

/** One message for one channel: begun, and perhaps tried. Times in milliseconds since the epoch. */
export interface Delivery {
  /** The same content for the same channel always has the same id. */
  readonly id: string;
  readonly content: DeliveryContent;
  readonly begun: number;
  readonly attempts: number;
  readonly notBefore: number;
  /** True from the begin of an attempt until its outcome is stored: an attempt that was cut off may have arrived. */
  readonly trying: boolean;
  /** It was set aside and is tried once: where that fails, it is set aside again at once. */
  readonly probing?: boolean;
  /** The last attempt that failed. */
  readonly failed?: { readonly at: number; readonly reason: string };
}

/** The id of a delivery: the same content for the same channel, by its partition of the outbox, has the same id. */
export function deliveryId(partition: string, content: DeliveryContent): string {
  // A period has one digest, whichever events a run that was cut off had found.
  const identity = content.kind === 'digest' ? ['digest', content.period.until] : content;
  return hash('sha256', JSON.stringify([partition, identity]), 'hex').slice(0, 32);
}
