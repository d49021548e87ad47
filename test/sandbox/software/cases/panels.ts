import {
  createPanel,
  deletePanel,
  editPanel,
  importPanel,
  promotePanel,
} from '../../../../sandbox/software/actions/panel.ts';
import { copyEntity, deleteEntity } from '../../../../sandbox/software/actions/panel-entities.ts';
import { panelTypes } from '../../../../sandbox/software/listing.ts';
import { aGene, anStr, aPanel, aRegion, type Case } from './case.ts';

const otherPanel = (): ReturnType<typeof aPanel> => aPanel({ id: 9, name: 'Added Panel x' });

/** `promoted` to `panelEdited` in docs/wordings.md. */
export const panelCases: readonly Case[] = [
  {
    name: 'deleting a gene',
    entity: aGene({ rating: 'amber' }),
    act: (session, gene) => deleteEntity(session, gene),
    texts: ['removed gene:BRCA1 from the panel'],
    published: [['entity.removed', { rating: null }]],
  },
  {
    name: 'deleting an STR',
    entity: anStr(),
    act: (session, str) => deleteEntity(session, str),
    texts: ['removed STR:HTT_CAG from the panel'],
    published: [['entity.removed', { rating: 'amber' }]],
  },
  {
    name: 'deleting a region',
    entity: aRegion(),
    act: (session, region) => deleteEntity(session, region),
    texts: ['removed region:ISCA-37390-Loss from the panel'],
    published: [['entity.removed']],
  },
  {
    name: 'promoting a panel',
    entity: aGene(),
    act: (session) => promotePanel(session),
    texts: ['promoted panel to version 2.0'],
    published: [['panel.promoted', { version: '2.0', previousVersion: null, via: 'activity' }, null]],
  },
  {
    name: 'a new panel by the form',
    entity: aGene(),
    act: (session) =>
      createPanel({
        ...session,
        panel: aPanel({
          name: 'Added Panel x',
          relevantDisorders: ['R54 Hereditary ataxia', 'R27'],
          childPanels: [aPanel({ name: 'Hearing loss' }), aPanel({ name: 'Kabuki to Marfan' })],
          types: panelTypes.filter(({ slug }) => slug === 'superpanel' || slug === 'gms-signed-off'),
        }),
      }),
    texts: [
      'Added Panel Added Panel x\n' +
        'Set list of related panels to R54 Hereditary ataxia; R27\n' +
        'Set child panels to: Hearing loss; Kabuki to Marfan\n' +
        'Set panel types to: GMS signed-off; Super Panel',
    ],
    published: [
      [
        'panel.created',
        {
          name: 'Added Panel x',
          relatedPanels: ['R54 Hereditary ataxia', 'R27'],
          childPanels: ['Hearing loss', 'Kabuki to Marfan'],
          types: ['GMS signed-off', 'Super Panel'],
        },
        null,
      ],
    ],
  },
  {
    name: 'a new panel by bulk import',
    entity: aGene(),
    act: (session) => importPanel(session),
    texts: ['Added panel Hearing loss'],
    published: [['panel.created', { name: 'Hearing loss' }, null]],
  },
  {
    name: 'everything in the form of a panel, signed off',
    entity: aGene(),
    act: (session) =>
      editPanel(
        {
          ...session,
          panel: aPanel({
            name: 'A to B',
            hpoTerms: ['HP:1', 'HP:2'],
            relevantDisorders: ['R1', 'R2'],
            status: 'internal',
          }),
        },
        {
          name: 'C to D',
          hpoTerms: ['HP:3'],
          relatedPanels: ['R3'],
          status: 'public',
          childPanels: [otherPanel()],
          types: panelTypes.slice(0, 2),
          signedOff: true,
        },
      ),
    texts: [
      'Panel name changed from A to B to C to D\n' +
        'HPO terms changed from HP:1, HP:2 to HP:3\n' +
        'List of related panels changed from R1; R2 to R3\n' +
        'Panel status changed from internal to public\n' +
        'Changed child panels to: Added Panel x\n' +
        'Panel types changed to GMS Rare Disease Virtual; GMS Rare Disease\n' +
        'Panel version has been signed off',
    ],
    published: [
      [
        'panel.changed',
        {
          changes: [
            { field: 'name', from: 'A to B', to: 'C to D' },
            { field: 'hpoTerms', from: ['HP:1', 'HP:2'], to: ['HP:3'] },
            { field: 'relatedPanels', from: ['R1', 'R2'], to: ['R3'] },
            { field: 'childPanels', to: ['Added Panel x'] },
            { field: 'types', to: ['GMS Rare Disease Virtual', 'GMS Rare Disease'] },
          ],
        },
        null,
      ],
      ['panel.signed-off', { signedOff: true, via: 'activity' }, null],
      ['panel.published', { via: 'activity' }, null],
    ],
  },
  {
    name: 'a sign-off withdrawn',
    entity: aGene(),
    act: (session) =>
      editPanel(
        { ...session, panel: aPanel({ signOffs: [{ version: '1.2', day: '2023-10-01' }] }) },
        { signedOff: false },
      ),
    texts: ['Panel signed off version has been removed'],
    published: [['panel.signed-off', { signedOff: false, via: 'activity' }, null]],
  },
  {
    name: 'a panel made internal, which is seen only once it is public again',
    entity: aGene(),
    act: (session) => editPanel(session, { status: 'internal' }),
    texts: ['Panel status changed from public to internal'],
    published: [['panel.withdrawn', { via: 'activity' }, null]],
  },
  {
    name: 'a panel from public to promoted, which stays public',
    entity: aGene(),
    act: (session) => editPanel(session, { status: 'promoted' }),
    texts: ['Panel status changed from public to promoted'],
    published: [['panel.changed', { changes: [{ field: 'status', from: 'public', to: 'promoted' }] }, null]],
  },
  {
    name: 'deleting a panel',
    entity: aGene(),
    act: (session) => deletePanel(session),
    texts: ['Panel deleted'],
    published: [['panel.deleted', { name: 'Hearing loss' }, null]],
  },
  ...(['gene', 'str', 'region'] as const).map((type): Case => {
    const entity = { gene: aGene, str: anStr, region: aRegion }[type]({ sources: ['Expert Review Green'] });
    const label = { gene: 'gene: BRCA1', str: 'STR: HTT_CAG', region: 'Region: ISCA-37390-Loss' }[type];
    const copied = {
      gene: 'Copied gene BRCA1 from panel Hearing loss',
      str: 'Copied STR HTT_CAG from panel Hearing loss',
      region: 'Copied Region ISCA-37390-Loss from panel Hearing loss',
    }[type];
    return {
      name: `copying: ${type}`,
      entity,
      act: (session, original) => copyEntity(session, original, { ...otherPanel(), id: session.panel.id }),
      texts: [
        `${label} was added\n` +
          `${label} was added to Added Panel x. Sources: Expert Review Green\n` +
          `Mode of inheritance for ${label} was set to Unknown`,
        copied,
      ],
      published: [
        [
          'entity.added',
          {
            rating: 'green',
            sources: ['Expert Review Green'],
            copiedFrom: 'Hearing loss',
            modeOfInheritance: 'Unknown',
          },
        ],
        ['entity.classified', { from: null, to: 'green', direction: 'new' }],
      ],
    };
  }),
  ...(['gene', 'str', 'region'] as const).map((type): Case => {
    const entity = { gene: aGene, str: anStr, region: aRegion }[type]();
    return {
      name: `copying what is there already: ${type}`,
      entity,
      act: (session, original) =>
        copyEntity(session, original, {
          ...otherPanel(),
          id: session.panel.id,
          entities: [structuredClone(original)],
        }),
      texts: [
        {
          gene: 'Added reviews for gene BRCA1 from panel Hearing loss',
          str: 'Added reviews for STR HTT_CAG from panel Hearing loss',
          region: 'Added reviews for Region ISCA-37390-Loss from panel Hearing loss',
        }[type],
      ],
      published: [['entity.reviews-copied', { fromPanel: 'Hearing loss' }]],
    };
  }),
];
