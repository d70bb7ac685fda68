import type { Database } from '../database/sql.ts';

/** Where figures are computed: a columnar copy of facts, which says as of when it is. Asked like a database. */
export interface Analytics extends Database {
  /** Brings the copy to this moment, and says which moment that is: all that was recorded until then is in it. */
  asOf(): Promise<Date>;
  /** The same for several questions of one request: the copy is brought up to date before the first of them. */
  atOnce(): Analytics;
}
