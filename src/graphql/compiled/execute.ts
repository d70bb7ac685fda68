import { type DocumentNode, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { CompiledOperation } from './operation.ts';
import type { Eventually } from './field.ts';

/** The operations of a document by their name; '' where it is asked for without one. */
type Operations = Map<string, CompiledOperation>;

interface CompiledExecution {
  readonly execute: (args: ExecutionArgs) => Eventually<ExecutionResult>;
  /** How many fields of the operations of a document are compiled. */
  readonly fieldsOf: (document: DocumentNode) => number;
}

/**
 * An executor in place of that of graphql-js, for one schema: it compiles an operation when it is first asked for, and
 * knows it for as long as its document is known to the parser. What cannot be compiled is executed as it is.
 */
export function compiledExecution(hideSuggestions: boolean): CompiledExecution {
  const known = new WeakMap<DocumentNode, Operations>();
  return { execute: executeCompiled, fieldsOf };

  function executeCompiled(args: ExecutionArgs): Eventually<ExecutionResult> {
    const { schema, document, operationName, contextValue, variableValues, ...others } = args;
    const name = operationName ?? '';
    let operations = known.get(document);
    if (!operations) known.set(document, (operations = new Map()));
    let operation: CompiledOperation | null = operations.get(name) ?? null;
    if (operation === null) {
      operation = CompiledOperation.of(schema, document, operationName ?? null, hideSuggestions);
      // Names are those of the document: others would be as many as anybody asks for.
      if (operation) operations.set(name, operation);
    }
    const special = Object.values(others).some((value) => value !== undefined && value !== null);
    if (operation?.schema !== schema || special) return execute({ ...args, hideSuggestions });
    return operation.run(contextValue, variableValues);
  }

  function fieldsOf(document: DocumentNode): number {
    return [...(known.get(document)?.values() ?? [])].reduce((sum, { compiledFields }) => sum + compiledFields, 0);
  }
}
