import { rowShape, singleLines } from './row-shape.ts';

/** Rows about a panel; those about an entity carry it only in the text. */
export const panelRows = singleLines('panel', {
  'gene removed': 'removed gene:{entity:symbol} from the panel',
  'str removed': 'removed STR:{entity:line} from the panel',
  'region removed': 'removed region:{entity:line} from the panel',
  promoted: 'promoted panel to version {version}',
  'created by import': 'Added panel {panel}',
  deleted: 'Panel deleted',
  'gene copied': 'Copied gene {entity:symbol} from panel {otherPanel:line}',
  'str copied': 'Copied STR {entity:line} from panel {otherPanel:line}',
  'region copied': 'Copied Region {entity:line} from panel {otherPanel:line}',
  'gene reviews copied': 'Added reviews for gene {entity:symbol} from panel {otherPanel:line}',
  'str reviews copied': 'Added reviews for STR {entity:line} from panel {otherPanel:line}',
  'region reviews copied': 'Added reviews for Region {entity:line} from panel {otherPanel:line}',
});

export const createdPanelRow = rowShape({
  on: 'panel',
  lines: {
    created: 'Added Panel {panel}',
    relatedPanels: 'Set list of related panels to {to:line|; }',
    childPanels: 'Set child panels to: {to:line|; }',
    types: 'Set panel types to: {to:line|; }',
  },
  must: ['created'],
});

export const editedPanelRow = rowShape({
  on: 'panel',
  lines: {
    // The row itself carries the new name.
    name: 'Panel name changed from {from:line} to {panel}',
    hpoTerms: 'HPO terms changed from {from:lineOrNothing|, } to {to:lineOrNothing|, }',
    relatedPanels: 'List of related panels changed from {from:lineOrNothing|; } to {to:lineOrNothing|; }',
    status: 'Panel status changed from {from:status} to {to:status}',
    childPanels: 'Changed child panels to: {to:lineOrNothing|; }',
    types: 'Panel types changed to {to:lineOrNothing|; }',
    'sign-off removed': 'Panel signed off version has been removed',
    'signed off': 'Panel version has been signed off',
  },
});
