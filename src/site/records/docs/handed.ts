import type { Texts } from '../../languages/texts.ts';
import { searchDocs } from './search.ts';
import type { Description } from '../reference/description.ts';
import { listEvents, viewEvent } from '../reference/event.ts';
import { TASKS, listOperations, viewOperation } from '../reference/operation.ts';

/** Values for templates that show the API. */
export function referenceFor(describe: () => Description, origin: string, query: URLSearchParams, texts: Texts) {
  return {
    searchDocs: (words: string) => searchDocs(describe(), words, texts),
    apiTasks: TASKS,
    apiOperations: () => listOperations(describe()),
    apiOperation: (id: unknown) => viewOperation(describe(), id, origin, query),
    apiEvents: () => listEvents(describe()),
    apiEvent: (type: unknown) => viewEvent(describe(), type),
  };
}
