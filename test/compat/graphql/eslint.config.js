import graphql from '@graphql-eslint/eslint-plugin';

const { 'flat/schema-recommended': recommended, 'flat/schema-relay': relay } = graphql.configs;
const [level, { EnumValueDefinition: _upperCase, ...names }] = recommended.rules['@graphql-eslint/naming-convention'];

/** What judges the printed schema: graphql-eslint's own choice for schemas, and what Relay asks of them. */
export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...recommended.rules,
      ...relay.rules,
      '@graphql-eslint/require-description': [
        'error',
        {
          types: true,
          rootField: true,
          DirectiveDefinition: true,
          FieldDefinition: true,
          InputValueDefinition: true,
          EnumValueDefinition: true,
        },
      ],
      // Values of enums are called as the field calls them: `mtn_momo`, `Assessed`.
      '@graphql-eslint/naming-convention': [level, names],
      // `name` and `serviceName` are the names of the contract.
      '@graphql-eslint/no-typename-prefix': 'off',
      // What has an identity implements Node; sums, shares and outcomes have none.
      '@graphql-eslint/strict-id-in-types': 'off',
      // What cannot grow long is a list and no connection. Rows of oversight are no records: an event as it shows it has
      // the ID of the event itself.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
    },
  },
];
