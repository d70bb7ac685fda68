import { type DocumentNode, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { CompiledOperation } from './operation.ts';
import type { Eventually } from './run.ts';

/** The operations of a document by their name; '' where it is asked for without one. */
type Operations = Map<string, CompiledOperation | null>;

/**
 * An executor in place of that of graphql-js, for one schema: it compiles an operation when it is first asked for, and
 * knows it for as long as its document is known to the parser. What cannot be compiled is executed as it is.
 */
export function compiledExecution(hideSuggestions: boolean): (args: ExecutionArgs) => Eventually<ExecutionResult> {
  const known = new WeakMap<DocumentNode, Operations>();
  return (args) => {
    const { schema, document, operationName, contextValue, variableValues, ...others } = args;
    const name = operationName ?? '';
    let operations = known.get(document);
    if (!operations) known.set(document, (operations = new Map()));
    let operation = operations.get(name);
    if (operation === undefined) {
      operation = CompiledOperation.of(schema, document, operationName ?? null, hideSuggestions);
      operations.set(name, operation);
    }
    const special = Object.values(others).some((value) => value !== undefined && value !== null);
    if (operation?.schema !== schema || special) return execute({ ...args, hideSuggestions });
    return operation.run(contextValue, variableValues);
  };
}
