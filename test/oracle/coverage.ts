import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which fields of events are held against the archive, the log or each other: under the names by which the values are counted, or
 * why a field is not held. `publishedFields` gives the keys: a field that is missing here fails the test.
 */
export const coverage: Readonly<Record<string, readonly string[] | string>> = {
  specversion: 'a constant of the schema',
  id: 'made by the notifier; test/questions/relay/many-notifiers.long.test.ts holds that all notifiers make the same',
  source: 'the address of the catalogue, from the settings',
  type: 'each kind is held by its change',
  subject: 'made of panel and entity; test/events holds it',
  time: ['archive: time of rows', 'archive: time of snapshots'],
  datacontenttype: 'a constant of the schema',
  dataschema: 'a constant of the schema',
  'data.catalogue': 'from the settings',
  'data.panel.id': 'what is held is held by the id of the panel',
  'data.panel.name': ['archive: panel name'],
  'data.panel.version': ['archive: panel version'],
  'data.panel.types': ['archive: panel types'],
  'data.panel.diseaseGroup': ['archive: panel diseaseGroup'],
  'data.panel.diseaseSubGroup': ['archive: panel diseaseSubGroup'],
  'data.panel.relevantDisorders': ['archive: panel relevantDisorders'],
  'data.panel.signedOff': ['archive: panel signedOff'],
  'data.panel.superPanels.id': ['archive: panel superPanels'],
  'data.panel.superPanels.name': ['archive: panel superPanels name'],
  'data.panel.signedOffVersion': ['archive: panel signedOffVersion'],
  'data.panel.signedOffDate': ['archive: panel signedOffVersion'],
  'data.panel.factsReadAt': 'the facts are held against the versions from then to the change',
  'data.entity.type': 'what is held is held by the type of the entity',
  'data.entity.name': ['archive: entity name'],
  'data.entity.hgncId': ['archive: entity hgncId', 'archive: hgncId'],
  'data.entity.ensemblId': ['archive: entity ensemblId'],
  'data.entity.omimIds': ['archive: entity omimIds'],
  'data.actor': 'the row alone names a person',
  'data.summary': 'a sentence of the other fields; test/events/summary.test.ts holds it',
  'data.late': ['event before, by arrival: late'],
  'data.activities': ['archive: activities'],
  'data.activities.textTruncated': 'no row of the samples is so long; test/publishing holds it',
  'data.corrects': ['archive: corrects'],
  'data.correctedChange': ['archive: correctedChange'],
  'data.correctedVersion': 'every version of the samples can be read; test/panels holds it',
  'entity.classified from': ['archive: rating from', 'event before, in order: rating from'],
  'entity.classified to': ['archive: rating to'],
  'entity.classified direction': ['archive: direction', 'event before, in order: direction'],
  'panel.promoted version': ['archive: promoted version'],
  'panel.promoted previousVersion': ['archive: previousVersion'],
  'panel.signed-off signedOff': ['archive: signed off or withdrawn'],
  'panel.signed-off version': 'a row of old software alone names it',
  'panel.signed-off date': 'a row of old software alone names it',
  'panel.signed-off signedOffVersion': ['archive: signed-off version'],
  'panel.signed-off signedOffDate': ['archive: signed-off version'],
  'panel.signed-off previousSignedOffVersion':
    'no panel of the samples was signed off twice; test/panels holds it',
  'panel.signed-off previousSignedOffDate':
    'no panel of the samples was signed off twice; test/panels holds it',
  'panel.signed-off comparison': 'webhooks add it to what is published; test/questions holds it',
  'entity.tags-changed added': ['archive: tags added', 'archive: tags to'],
  'entity.tags-changed removed': ['archive: tags removed'],
  'entity.added rating': ['archive: rating to', 'archive: added: at the end'],
  'entity.added sources': ['archive: sources to'],
  'entity.added tags': ['archive: tags to'],
  'entity.added copiedFrom': 'the row alone names the other panel',
  'entity.added modeOfInheritance': ['archive: modeOfInheritance to'],
  'entity.added modeOfPathogenicity': ['archive: modeOfPathogenicity to'],
  'entity.added penetrance': ['archive: penetrance to'],
  'entity.added phenotypes': ['archive: phenotypes to'],
  'entity.added publications': ['archive: publications to'],
  'entity.removed rating': ['archive: removed: rating', 'archive: removed: there before'],
  'entity.renamed from': ['archive: renamed: there before'],
  'entity.renamed to': ['archive: entity name'],
  'entity.annotated modeOfInheritance': ['archive: modeOfInheritance from', 'archive: modeOfInheritance to'],
  'entity.annotated modeOfPathogenicity': [
    'archive: modeOfPathogenicity from',
    'archive: modeOfPathogenicity to',
  ],
  'entity.annotated phenotypes': [
    'archive: phenotypes from',
    'archive: phenotypes to',
    'archive: phenotypes added',
  ],
  'entity.annotated publications': ['archive: publications from', 'archive: publications to'],
  'entity.annotated penetrance': ['archive: penetrance from', 'archive: penetrance to'],
  'entity.annotated transcript': ['archive: transcript from', 'archive: transcript to'],
  'entity.annotated sources': ['archive: sources added', 'archive: sources removed', 'archive: sources to'],
  'entity.annotated gene': 'states keep the ids of the linked gene, not its symbol; listings compare it',
  'entity.annotated verboseName': ['archive: verboseName from', 'archive: verboseName to'],
  'entity.annotated chromosome': ['archive: chromosome from', 'archive: chromosome to'],
  'entity.annotated coordinates': ['archive: coordinates GRCh38 from', 'archive: coordinates GRCh38 to'],
  'entity.annotated repeats': ['archive: repeats normal from', 'archive: repeats pathogenic to'],
  'entity.annotated dosage': [
    'archive: dosage haploinsufficiency from',
    'archive: dosage triplosensitivity to',
  ],
  'entity.annotated variantType': ['archive: variantType from', 'archive: variantType to'],
  'entity.annotated requiredOverlapPercentage': ['archive: requiredOverlapPercentage from'],
  'entity.annotated hgncId': 'no id was corrected in the samples; test/panels/proving.long.test.ts holds it',
  'entity.annotated rating': ['archive: annotated rating'],
  'entity.disagreement':
    'what two catalogues hold, and no one archive shows; test/reconcile/disagreements holds it',
  'entity.reviewed': 'the opinion of a reviewer, which the row alone states',
  'entity.review-deleted': 'it states nothing but its row',
  'entity.commented': 'a comment, which the row alone holds',
  'entity.reviews-copied': 'the row alone names the other panel',
  'entity.marked-ready': 'it states nothing but its row',
  'panel.created': 'the row alone states it: what a panel says of itself has no version',
  'panel.deleted name': 'the name of `data.panel`',
  'panel.published': ['archive: panel visibility'],
  'panel.withdrawn': 'only listings show it in the samples; test/reconcile holds it',
  'panel.changed name': ['archive: changed name from', 'archive: changed name to'],
  'panel.changed description': 'listings alone show it in the samples; test/reconcile holds it',
  'panel.changed status': ['archive: changed status from', 'archive: changed status to'],
  'panel.changed types': ['archive: changed types to'],
  'panel.changed childPanels':
    'listings show the names of the panels, versions their ids; test/reconcile holds it',
  'panel.changed relatedPanels': ['archive: changed relatedPanels from', 'archive: changed relatedPanels to'],
  'panel.changed hpoTerms': 'neither listings nor versions show them',
  'panel.changed diseaseGroup': 'listings alone show it in the samples; test/reconcile holds it',
  'panel.changed diseaseSubGroup': 'listings alone show it in the samples; test/reconcile holds it',
  'panel.changed relevantDisorders': 'listings alone show it; rows call it `relatedPanels`',
  'panel.changed version': 'listings alone state it: versions are compared one by one',
  'panel.changed numberOfGenes': 'listings alone state it: versions show the genes',
  'panel.changed numberOfStrs': 'listings alone state it: versions show the STRs',
  'panel.changed numberOfRegions': 'listings alone state it: versions show the regions',
  'activity.unclassified': 'no state shows what an unknown row means',
};

/** How a change was found is no value of the catalogue. */
const isVia = (field: string): boolean => / via$/.test(field);

/** Kinds whose change is covered as a whole, and parts of changes that are. */
const wholes: readonly string[] = [
  'entity.disagreement',
  'entity.reviewed',
  'entity.review-deleted',
  'entity.commented',
  'entity.reviews-copied',
  'entity.marked-ready',
  'panel.created',
  'panel.published',
  'panel.withdrawn',
  'panel.signed-off comparison',
  'activity.unclassified',
];

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
}

/** Every field of every kind of event, as the published JSON Schema has it; changes of a `field` under the name of that field. */
export function publishedFields(): readonly string[] {
  const path = join(import.meta.dirname, '../../docs/schemas/event.json');
  const { $defs }: { $defs: Readonly<Record<string, Schema>> } = JSON.parse(readFileSync(path, 'utf8'));
  const fields = new Set<string>();
  const add = (schema: Schema | undefined, name: string): void => {
    const whole = wholes.find(
      (one) => name === one || name.startsWith(`${one} `) || name.startsWith(`${one}.`),
    );
    if (whole !== undefined) fields.add(whole);
    else if (schema?.$ref) add($defs[schema.$ref.replace('#/$defs/', '')], name);
    else if (schema?.anyOf) for (const one of schema.anyOf) add(one, name);
    else if (name.endsWith(' changes')) {
      for (const field of schema?.items?.properties?.field?.enum ?? [])
        fields.add(name.replace('changes', field));
    } else if (schema?.items?.properties) add(schema.items, name);
    else if (schema?.properties && Object.keys(schema.properties).length > 0) {
      for (const [key, one] of Object.entries(schema.properties)) add(one, nameOf(name, key));
      if (name === 'data.activities') fields.add(name);
    } else if (schema?.type !== 'null') fields.add(name);
  };
  const nameOf = (name: string, key: string): string => {
    if (name === '') return key;
    return name.includes('.') && kinds.has(name) ? `${name} ${key}` : `${name}.${key}`;
  };
  const defs = Object.entries($defs).filter(([name]) => /^gene-panel\..+\.v1$/.test(name));
  const kinds = new Set(defs.map(([name]) => name.slice('gene-panel.'.length, -'.v1'.length)));
  for (const [name, { properties = {} }] of defs) {
    const kind = name.slice('gene-panel.'.length, -'.v1'.length);
    const { data, ...envelope } = properties;
    for (const [key, schema] of Object.entries(envelope)) add(schema, key);
    const { change, correctedChange, ...common } = data?.properties ?? {};
    for (const [key, schema] of Object.entries(common)) add(schema, `data.${key}`);
    if (correctedChange) fields.add('data.correctedChange');
    add(change, kind);
  }
  return [...fields].filter((field) => !isVia(field)).sort();
}
