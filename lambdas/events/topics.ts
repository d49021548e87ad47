/** The families of events; each has an SNS topic of its own, and every topic is complete for its family. */
export const topics = [
  'classifications',
  'promotions',
  'tags',
  'membership',
  'annotations',
  'reviews',
  'panels',
  'disagreements',
  'unclassified',
] as const;

export type Topic = (typeof topics)[number];
