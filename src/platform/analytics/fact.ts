/**
 * What analytics know of a kind of document, declared once: the columnar copy makes a table of it, fills it, and follows
 * what changes. A fact is read from `oversight.fact_<name>`, a view with these columns and with `document`, the docname
 * of the document that its rows belong to; the rows of a document are replaced together.
 */
export interface Fact {
  /** The name of its table in the copy. */
  readonly name: string;
  /** The kind of document, as the feed of changes (`fact_change`) calls it. */
  readonly of: string;
  /** Its columns, each with its type in DuckDB. None holds personal data. */
  readonly columns: Readonly<Record<string, string>>;
}
