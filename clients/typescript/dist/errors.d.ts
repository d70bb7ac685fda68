import type { Code, Field, Reason, Trouble } from './types.ts';
interface About {
    readonly status: number;
    readonly code: Code;
    readonly fields?: readonly Field[];
    readonly requestId?: string | null;
    readonly retryAfter?: number | null;
    readonly cause?: unknown;
}
/** A call that did not succeed: the rail refused it, or could not be asked. */
export declare class RailError extends Error {
    readonly name = "RailError";
    /** The HTTP status; 0 if there was no answer. */
    readonly status: number;
    /** Why, as exactly as the rail says: the reason of a refusal, or else the error code. */
    readonly reason: Reason;
    /** The error code, such as `validation_failed`, which several reasons share. */
    readonly code: Code;
    /** What is wrong with which value of the request. */
    readonly fields: readonly Field[];
    /** Quote it to operators. */
    readonly requestId: string | null;
    /** The seconds after which to try again, where the rail says so. */
    readonly retryAfter: number | null;
    constructor(message: string, { status, code, fields, requestId, retryAfter, cause }: About);
}
/** Why there is no answer at all. */
export declare function troubleOf(code: Trouble, message: string, cause: unknown): RailError;
/** The object that an answer says in JSON; undefined if it says anything else. */
export declare function bodyOf(response: Response): Promise<object | undefined>;
/** What an answer means that is no success, or none of a rail. */
export declare function refusalOf({ status, headers }: Response, body: object | undefined): RailError;
export {};
