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

/**
 * Does something before this process sends its so-many-th statement from now on; what it asks itself is not counted.
 * Answers whether there was that statement.
 */
export async function beforeStatement(
  db: Database,
  nth: number,
  meanwhile: () => Promise<unknown>,
  during: () => Promise<unknown>,
): Promise<boolean> {
  const { row, rows } = db;
  let sent = 0;
  const watch =
    <Query, More extends unknown[], Answer>(ask: (query: Query, ...more: More) => Promise<Answer>) =>
    async (query: Query, ...more: More): Promise<Answer> => {
      if (++sent === nth) {
        Object.assign(db, { row, rows });
        await meanwhile();
      }
      return ask(query, ...more);
    };
  Object.assign(db, { row: watch(row), rows: watch(rows) });
  await during().finally(() => Object.assign(db, { row, rows }));
  return sent >= nth;
}
