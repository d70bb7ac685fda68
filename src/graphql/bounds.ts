import { type ASTVisitor, GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationContext, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Refusal } from '../refusal.ts';
import { badText } from '../text.ts';
import { OPERATION_LIMITS } from './builder.ts';

/** What a document may not exceed before it is run; depth, breadth and complexity are counted by the schema's own plugin. */
export function bounds(introspection: boolean): Plugin {
  return {
    // The server hands the parser options of its own: what is set beside them is lost.
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: OPERATION_LIMITS.tokens }));
    },
    onValidate({ addValidationRule, setValidationFn, validateFn }) {
      addValidationRule(fewAliases);
      addValidationRule(properText);
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules, options) =>
        validateFn(schema, document, rules, { ...options, maxErrors: 5, hideSuggestions: !introspection }),
      );
    },
    onParams({ params }) {
      refuseBadText(params.variables, 'variables');
    },
  };
}

const fewAliases: ValidationRule = (context: ValidationContext): ASTVisitor => {
  let aliases = 0;
  return {
    Field(node) {
      if (node.alias && ++aliases === OPERATION_LIMITS.aliases + 1) {
        context.reportError(new GraphQLError(`A document may have at most ${OPERATION_LIMITS.aliases} aliases`, { nodes: node }));
      }
    },
  };
};

const properText: ValidationRule = (context: ValidationContext): ASTVisitor => ({
  StringValue(node) {
    const message = badText(node.value);
    if (message) context.reportError(new GraphQLError(`Text ${message}`, { nodes: node }));
  },
});

function refuseBadText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const message = badText(value);
    if (message) throw new Refusal('validation_failed', `${path}: ${message}`, [{ path, message }]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) refuseBadText(member, `${path}.${key}`);
  }
}
