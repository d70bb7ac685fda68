import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  Source,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { OPERATION_LIMITS } from '../builder.ts';

/** Limits of a document before it is run; the schema's own plugin counts depth, breadth and complexity. */
export function bounds(introspects: (call: Call) => boolean): Plugin<{ readonly call: Call }> {
  return {
    // The server hands the parser options of its own: what is set outside them is lost.
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => {
        refuseDeep(source);
        const document: DocumentNode = parseFn(source, { ...options, maxTokens: OPERATION_LIMITS.tokens });
        refuseMany(document);
        return document;
      });
    },
    onValidate({ addValidationRule, setValidationFn, validateFn, context }) {
      const introspection = introspects(context.call);
      addValidationRule(limitAliases);
      addValidationRule(requireProperText);
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules, options) =>
        validateFn(schema, document, rules, { ...options, maxErrors: 5, hideSuggestions: !introspection }),
      );
    },
  };
}

const limitAliases: ValidationRule = (context: ValidationContext): ASTVisitor => {
  let aliases = 0;
  return {
    Field(node) {
      if (node.alias && ++aliases === OPERATION_LIMITS.aliases + 1) {
        context.reportError(
          new GraphQLError(`A document may have at most ${OPERATION_LIMITS.aliases} aliases`, { nodes: node }),
        );
      }
    },
  };
};

const requireProperText: ValidationRule = (context: ValidationContext): ASTVisitor => ({
  StringValue(node) {
    const message = findBadText(node.value);
    if (message) context.reportError(new GraphQLError(`Text ${String(message)}`, { nodes: node }));
  },
});

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Refuses a document that is nested deeper than any that is answered, before anything recursive looks at it. */
export function refuseDeep(source: string | Source): void {
  const lexer = new Lexer(typeof source === 'string' ? new Source(source) : source);
  let depth = 0;
  for (let tokens = 0; tokens < OPERATION_LIMITS.tokens; tokens++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (OPENING.has(kind)) depth++;
    else if (CLOSING.has(kind)) depth--;
    if (depth > OPERATION_LIMITS.nesting)
      throw new Refusal('validation_failed', `A document may be nested at most ${OPERATION_LIMITS.nesting} deep`);
  }
}

/**
 * Refuses a document of many operations and fragments: what compares them all with each other takes the square of their
 * number.
 */
export function refuseMany({ definitions }: DocumentNode): void {
  const { definitions: most } = OPERATION_LIMITS;
  if (definitions.length > most)
    throw new Refusal('validation_failed', `A document may have at most ${most} operations and fragments`);
}
