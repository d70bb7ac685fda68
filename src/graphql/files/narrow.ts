import { getArgumentValues, getOperationAST, getVariableValues, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { SideTable } from '../../kernel/side-table.ts';
import type { PreparedOperation, Variables } from '../prepared.ts';
import { datasetOf } from './rows.ts';

/** Fields of the operations that are kept: dashboards ask the same few questions again and again. */
const MOST_FIELDS = 2_000;

const known = new SideTable<PreparedOperation, LRUCache<string, PreparedOperation>>();

/**
 * The same operation without the optional members of its rows that have no value for its variables: a row of figures
 * has a hundred members, of which a question fills ten.
 */
export function narrow(operation: PreparedOperation, variables: Variables): PreparedOperation {
  const [field, node] = operation.fields.find(([{ extensions }]) => extensions['dataset']) ?? [];
  const filled = datasetOf(operation)?.filled;
  if (!field || !node || !filled) return operation;
  const { variableDefinitions = [] } = getOperationAST(operation.document)!;
  const { variableValues } = getVariableValues(operation.schema, variableDefinitions, variables);
  // It refuses them as it is executed.
  if (!variableValues) return operation;
  const names = new Set(filled(getArgumentValues(field, node, variableValues)));
  const sizeCalculation = (_: PreparedOperation, choice: string) => choice.split(',').length;
  const choices = known.of(operation, () => new LRUCache({ maxSize: MOST_FIELDS, sizeCalculation }));
  const choice = [...names].toSorted().join();
  let narrowed = choices.get(choice);
  if (!narrowed) {
    const document = visit(operation.document, {
      Field: ({ name, directives }) =>
        directives?.some((one) => one.name.value === 'optional') && !names.has(name.value) ? null : undefined,
    });
    choices.set(choice, (narrowed = { ...operation, document }));
  }
  return narrowed;
}
