import { onTestFinished } from 'vitest';
import type { Database } from '../../../src/platform/database/sql.ts';

/**
 * Counts the statements with such words that are answered from now on, until the test ends: to wait until something has
 * looked.
 */
export function countStatements(db: Database, words: string): () => number {
  let count = 0;
  const watch =
    <Query extends { readonly text: string }, More extends unknown[], Answer>(
      ask: (query: Query, ...more: More) => Promise<Answer>,
    ) =>
    async (query: Query, ...more: More): Promise<Answer> => {
      const answer = await ask(query, ...more);
      if (query.text.includes(words)) count++;
      return answer;
    };
  const { row, rows } = db;
  Object.assign(db, { row: watch(row), rows: watch(rows) });
  onTestFinished(() => void Object.assign(db, { row, rows }));
  return () => count;
}
