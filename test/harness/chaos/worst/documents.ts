const ROOM = 200 * 1024;
const MOST_KEPT = 14 * 1024;
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
const padding = (length: number) => 'x'.repeat(length);

const SERVICE = 'id code serviceName feeAmount currency status createdAt family';
const AGENCY = 'id name status country type region district createdAt';

/** Documents that anybody may send to be parsed, each another one, and each as large as one may be in some way. */
export const DOCUMENTS: readonly ((nth: number) => string)[] = [
  // Unknown fields, and a document that never ends.
  (nth) => `{${many(3_900, (index) => `a${nth}_${index}_${padding(40)}`)}}`,
  (nth) => `{${many(3_900, (index) => `a${nth}_${index}_${padding(40)}`)}`,
  // As long as a body may be, in a name or beside what is asked.
  (nth) => `query ${padding(ROOM)}${nth} { agencies(first: 1) { nodes { id } } }`,
  (nth) => `{ agencies(first: 1) { nodes { id } } } # ${nth} ${padding(ROOM)}`,
  // Documents of many tokens: one refused for another reason, and ones that are run.
  (nth) => `# ${nth}\n{ agencies(first: 1) { nodes { ${many(3_900, () => 'id')} } } }`,
  (nth) => `# ${nth} ${padding(MOST_KEPT)}\n{ agencies(first: 1) { nodes { ${many(60, () => 'id name')} } } }`,
  (nth) => `# ${nth}\n{ services(first: 500) { nodes { agency { services(first: 500) { nodes { id } } } } } }`,
  // A fragment that is spread in many places has fields of its own in each, once it was run.
  (nth) => `# ${nth}
    { agencies(first: 1) { nodes { ${many(7, (index) => `a${index}: services(first: 1) { nodes { ...F } }`)} } } }
    fragment F on Service { ${SERVICE} agency { ${AGENCY} services(first: 1) { nodes { ...G } } } }
    fragment G on Service { ${SERVICE} agency { ${AGENCY} services(first: 1) { nodes { ${SERVICE} } } } }`,
];
