import type { PanelType } from './state.ts';

/** The types of panels. Source: docs/interfaces.md, "Panel". */
export const panelTypes: readonly PanelType[] = [
  {
    name: 'GMS Rare Disease Virtual',
    slug: 'gms-rare-disease-virtual',
    description: 'Virtual panel for a test of the test directory',
  },
  {
    name: 'GMS Rare Disease',
    slug: 'gms-rare-disease',
    description: 'Rare disease panel that is not virtual',
  },
  { name: 'GMS signed-off', slug: 'gms-signed-off', description: 'This panel has been signed off' },
  {
    name: 'Rare Disease 100K',
    slug: 'rare-disease-100k',
    description: 'Rare disease panel of the earlier programme',
  },
  {
    name: 'Component Of Super Panel',
    slug: 'component-of-super-panel',
    description: 'This panel is a component of a super panel',
  },
  { name: 'Super Panel', slug: 'superpanel', description: 'This panel is a super panel' },
  {
    name: 'Additional findings',
    slug: 'additional-findings',
    description: 'This panel is used for additional findings',
  },
];
