import { builder, needs } from '../../graphql/builder.ts';
import { requiredText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { type RegisteredOperation, listRegistered } from '../../graphql/operations/registered.ts';
import {
  LONGEST_DESCRIPTION,
  LONGEST_DOCUMENT,
  MOST_OPERATIONS,
  MOST_VERSIONS,
  NAME,
  registerOperation,
  registrationOf,
} from './register.ts';

const RegisteredOperationType = builder.objectRef<RegisteredOperation>('RegisteredOperation').implement({
  description:
    'A query of oversight that somebody registered under a name. `GET /graphql?operation=<name>` runs its latest version, `<name>@<version>` one of them, with the rights of who asks.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that runs it.' }),
    version: t.exposeInt('version', { description: 'The number of the version, from 1. A version never changes.' }),
    ownerId: t.exposeString('owner', {
      description: 'The code of the account that registered it, or `staff`.',
    }),
    document: t.exposeString('document', { description: 'The text of the query.' }),
    description: t.exposeString('description', { description: 'Purpose of the operation, in the words of its owner.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which this version was registered.' }),
  }),
});

builder.queryField('registeredOperations', (t) =>
  t.field({
    type: [RegisteredOperationType],
    description:
      'The registered operations, each in its latest version, by name. Those of the rail itself are at `GET /graphql/operations`. Scope `oversight.read`.',
    ...needs('oversight.read'),
    resolve: (_root, _args, { db }) => listRegistered(db),
  }),
);

builder.mutationField('registerOperation', (t) =>
  t.field({
    type: RegisteredOperationType,
    description: `Registers a query of \`oversight\` under a name, or the next version of one that is yours: at most ${MOST_OPERATIONS} names and ${MOST_VERSIONS} versions of each. It is held to the schema and to the bounds on operations. Scope \`oversight.read\`.`,
    ...needs('oversight.read', { people: 'alone' }),
    args: {
      name: t.arg.string({
        required: true,
        description: 'Its name: 3 to 64 small letters, digits and hyphens. Others may run it by that name.',
        ...shape({ pattern: NAME.source, examples: ['net-by-district'] }),
      }),
      document: t.arg.string({
        required: true,
        description: 'The text of one query, at most 16,000 characters.',
        ...requiredText(LONGEST_DOCUMENT),
      }),
      description: t.arg.string({
        required: true,
        description: 'Purpose of the operation, at most 280 characters.',
        ...requiredText(LONGEST_DESCRIPTION),
      }),
    },
    resolve: (_root, args, call, { schema }) => registerOperation(call, schema, args),
    answerAgain: registrationOf,
  }),
);
