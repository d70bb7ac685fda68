/** The rows of a list, of all its pages: `for await (const row of list)`. */
export interface List<Row> extends AsyncIterable<Row> {
    /** Its pages, of as many rows as `limit` says. */
    pages(): AsyncIterable<Row[]>;
}
interface Page<Row> {
    readonly rows: Row[];
    /** What its next page comes after; null at the end. */
    readonly next: string | null;
}
export declare function listOf<Row>(ask: (after?: string) => Promise<Page<Row>>): List<Row>;
/** What the next page comes after: of the link the cursor alone, so that a credential goes nowhere else. */
export declare function nextOf({ headers }: Response): string | null;
export {};
