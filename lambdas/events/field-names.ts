import type { Annotation, PanelChange } from './changes.ts';

const annotationNames: { readonly [Field in Annotation['field']]: string } = {
  modeOfInheritance: 'mode of inheritance',
  modeOfPathogenicity: 'mode of pathogenicity',
  phenotypes: 'phenotypes',
  publications: 'publications',
  penetrance: 'penetrance',
  transcript: 'transcript',
  sources: 'sources',
  gene: 'linked gene',
  verboseName: 'descriptive name',
  chromosome: 'chromosome',
  coordinates: 'coordinates',
  repeats: 'repeats',
  dosage: 'dosage score',
  variantType: 'variant type',
  requiredOverlapPercentage: 'required overlap',
  hgncId: 'HGNC id',
};

const panelFieldNames: { readonly [Field in PanelChange['field']]: string } = {
  name: 'name',
  description: 'description',
  status: 'status',
  types: 'types',
  childPanels: 'child panels',
  relatedPanels: 'related panels',
  hpoTerms: 'HPO terms',
  diseaseGroup: 'disease group',
  diseaseSubGroup: 'disease sub-group',
  relevantDisorders: 'relevant disorders',
  version: 'version',
  numberOfGenes: 'number of genes',
  numberOfStrs: 'number of STRs',
  numberOfRegions: 'number of regions',
};

/** What a person calls the changed field of an entity, such as `GRCh38 coordinates`. */
export function annotationName({ field, aspect }: Annotation): string {
  if (field === 'coordinates') return `${aspect ?? ''} coordinates`.trim();
  if (field === 'dosage') return `${aspect ?? 'dosage'} score`;
  if (field === 'repeats' && aspect)
    return aspect === 'sequence' ? 'repeated sequence' : `${aspect} number of repeats`;
  return annotationNames[field];
}

/** What a person calls the changed field of a panel. */
export const panelFieldName = ({ field }: PanelChange): string => panelFieldNames[field];
