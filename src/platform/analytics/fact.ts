import type { Sql } from '../database/sql.ts';

/**
 * A kind of record for analytics, declared once: the columnar copy makes a table of it, fills it, and follows its
 * changes. A fact is read from `oversight.fact_<name>`, a view with these columns and with `document`, the docname of
 * the document that its rows belong to; the rows of a document are replaced together.
 */
export interface Fact {
  /** The name of its table in the copy. */
  readonly name: string;
  /** The kind of document, as the feed of changes (`fact_change`) calls it. */
  readonly of: string;
  /** Its columns, each with its type in DuckDB. None holds personal data. */
  readonly columns: Readonly<Record<string, string>>;
}

/**
 * A table of the copy that is computed from a fact with a `month`, each month apart, and again where facts of a month have
 * changed: when somebody asks.
 */
export interface MaterializedView {
  readonly name: string;
  /** The name of its fact. */
  readonly of: string;
  /** True if the rows of a month depend on the facts of earlier months too, and are computed again with them. */
  readonly onwards?: true;
  /** Its rows, each with a `month`, from a SELECT that has all facts of some months; in the SQL of DuckDB. */
  readonly select: (facts: Sql) => Sql;
}

/** Files that have rows of a fact, for filling a copy without asking PostgreSQL for them. */
export interface FactFiles {
  readonly fact: string;
  /** Folder of the files. */
  readonly folder: string;
  /** Files to read for facts of an origin; throws if they are not fit for them. */
  find(origin: string): Promise<{
    /**
     * A SELECT on the files, and on one that PostgreSQL writes for them, with all columns of the fact, in the SQL of
     * DuckDB; null where there are no files.
     */
    readonly rows: ((supplement: string) => string) | null;
    /** Folder that PostgreSQL writes into. */
    readonly supplement: string;
    /** Condition for rows of the fact's view that the files lack, in the SQL of PostgreSQL. */
    readonly rest: string;
  }>;
}
