import type { Country } from '../identity/tenants.ts';

/** The parts of a made-up case that decide who may see it and what can be done with it. */
export interface Case {
  /** Interpretation request identifier and version. */
  readonly irId: number;
  readonly irVersion: number;
  readonly samples: readonly string[];
  /** The panels that the case was analysed with, in the version of that day. */
  readonly panels: readonly UsedPanel[];
  /** Pseudonym of the participant. */
  readonly participant: string;
  /** The groups of third-party users that have access. */
  readonly groups: readonly string[];
  readonly origin: CurrentOrigin | LegacyOrigin;
}

interface UsedPanel {
  readonly id: number;
  readonly name: string;
  readonly version: string;
}

/** A referral of the current programme belongs to a country. */
interface CurrentOrigin {
  readonly programme: 'current';
  readonly country: Country;
}

/** A case of the legacy programme belongs to a laboratory (local delivery partner) of a centre. */
interface LegacyOrigin {
  readonly programme: 'legacy';
  readonly laboratory: string;
  readonly centre: string;
}

const current = (country: Country): CurrentOrigin => ({ programme: 'current', country });
const legacy = (laboratory: string, centre: string): LegacyOrigin => ({
  programme: 'legacy',
  laboratory,
  centre,
});

/** The panel of docs/examples: there, EXAMPLE1 turns green in version 1.5. */
const examplePanel = (version: string): UsedPanel => ({ id: 9999, name: 'Example panel', version });
const otherPanel: UsedPanel = { id: 9998, name: 'Another example panel', version: '3.10' };

export const cases: readonly Case[] = [
  {
    irId: 1001,
    irVersion: 1,
    samples: ['LP1001-A', 'LP1001-B'],
    panels: [examplePanel('1.2')],
    participant: 'p-1001',
    groups: ['support-desk'],
    origin: current('England'),
  },
  {
    irId: 1001,
    irVersion: 2,
    samples: ['LP1001-A'],
    panels: [examplePanel('1.5')],
    participant: 'p-1001',
    groups: [],
    origin: current('England'),
  },
  {
    irId: 1002,
    irVersion: 1,
    samples: ['LP1002-A'],
    panels: [examplePanel('1.4'), otherPanel],
    participant: 'p-1002',
    groups: [],
    origin: current('Wales'),
  },
  {
    irId: 1003,
    irVersion: 1,
    samples: ['LP1003-A'],
    panels: [examplePanel('1.10')],
    participant: 'p-1003',
    groups: [],
    origin: current('Scotland'),
  },
  {
    irId: 1004,
    irVersion: 1,
    samples: ['LP1004-A'],
    panels: [examplePanel('0.9')],
    participant: 'p-1004',
    groups: [],
    origin: current('Northern Ireland'),
  },
  {
    irId: 2001,
    irVersion: 1,
    samples: ['LP2001-A'],
    panels: [otherPanel],
    participant: 'p-2001',
    groups: [],
    origin: legacy('LDP-A', 'North'),
  },
  {
    irId: 2002,
    irVersion: 1,
    samples: ['LP2002-A'],
    panels: [],
    participant: 'p-2002',
    groups: [],
    origin: legacy('LDP-B', 'South'),
  },
  {
    irId: 2003,
    irVersion: 1,
    samples: ['LP2003-A'],
    panels: [examplePanel('1.4')],
    participant: 'p-2003',
    groups: ['support-desk'],
    origin: legacy('LDP-C', 'North'),
  },
];
