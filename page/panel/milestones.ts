import { type EventKindName, eventKinds, kindOf } from '../../lambdas/events/kinds.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';

/** What can happen to a panel itself, and whether people can see the panel afterwards; null where that stays as it was. */
const milestoneKinds = {
  promoted: null,
  'signed off': null,
  'sign-off withdrawn': null,
  created: true,
  public: true,
  'no longer public': false,
  deleted: false,
} as const;

/** Something that happened to the panel itself. */
export interface Milestone {
  readonly at: Instant;
  readonly kind: keyof typeof milestoneKinds;
  /** The version that was promoted, signed off or created; empty where unknown. */
  readonly version: string;
  readonly id: string;
}

/** The milestone that an event is, where it happened at `at` and left its panel at `version`; null where it is none. */
export function milestoneOf(event: PanelEvent, at: Instant, version: string): Milestone | null {
  if (!isAboutPanel(event)) return null;
  const of = (kind: Milestone['kind'], about = version): Milestone => ({
    at,
    kind,
    version: about,
    id: event.id,
  });
  switch (event.type) {
    case 'gene-panel.panel.promoted.v1':
      return of('promoted', cleanLine(event.data.change.version));
    case 'gene-panel.panel.signed-off.v1': {
      // The version after saving is hardly ever the one that was signed off.
      const { signedOff, signedOffVersion, previousSignedOffVersion } = event.data.change;
      return signedOff
        ? of('signed off', cleanLine(signedOffVersion ?? ''))
        : of('sign-off withdrawn', cleanLine(previousSignedOffVersion ?? ''));
    }
    case 'gene-panel.panel.created.v1':
      return of('created');
    case 'gene-panel.panel.published.v1':
      return of('public');
    case 'gene-panel.panel.withdrawn.v1':
      return of('no longer public');
    case 'gene-panel.panel.deleted.v1':
      return of('deleted');
    case 'gene-panel.panel.changed.v1':
      return null;
    default:
      return event satisfies never;
  }
}

/** The milestone since which people cannot see the panel; null where they can, as far as the milestones say. */
export function goneSince(milestones: readonly Milestone[]): Milestone | null {
  const last = milestones.findLast(({ kind }) => milestoneKinds[kind] !== null);
  return last !== undefined && milestoneKinds[last.kind] === false ? last : null;
}

type KindAboutPanel = {
  [K in EventKindName]: (typeof eventKinds)[K]['about'] extends 'panel' ? K : never;
}[EventKindName];

function isAboutPanel(event: PanelEvent): event is PanelEvent<KindAboutPanel> {
  const kind = kindOf(event.type);
  return kind !== undefined && eventKinds[kind].about === 'panel';
}
