/** How the rail is reached, and as whom. */
export interface ClientOptions {
    /** Where the rail is: `https://rail.example`. */
    readonly baseUrl: string;
    /** A key of an integrator. */
    readonly key?: string | undefined;
    /** A token of an agency, or what gets one that still holds. */
    readonly token?: string | (() => string | Promise<string>) | undefined;
    /** On a page of the rail itself: whether the cookie of who is signed in is sent. */
    readonly session?: boolean | undefined;
    /** How long one attempt may take; 30 seconds unless said. */
    readonly timeoutMs?: number | undefined;
    /** How often a call is tried again; 3 times unless said. */
    readonly retries?: number | undefined;
    /** What sends requests, such as one that goes through a proxy. */
    readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}
/** What can be said of one call. */
export interface CallOptions {
    /** The key under which a change happens once, for 24 hours; one is made up for each call that has none. */
    readonly idempotencyKey?: string | undefined;
    /** Ends the call, with all of its attempts. */
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
    readonly retries?: number | undefined;
    /** Further header fields, such as `X-Purpose`. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
export interface Input extends CallOptions {
    readonly path?: object | undefined;
    readonly query?: object | undefined;
    readonly body?: unknown;
}
/**
 * Sends a request until it is answered, and reads the answer within the time of the attempt. Repeating is safe: each
 * attempt at a change has the same idempotency key.
 */
export declare function send<T>(client: ClientOptions, method: string, path: string, input: Input, read: (response: Response) => Promise<T> | T): Promise<T>;
